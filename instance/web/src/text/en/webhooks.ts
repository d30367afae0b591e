import type { components } from "../../api/schema";
import { counted } from "../format";

type Webhook = components["schemas"]["instance.webhooks"]["webhooks"][number];
type Delivery = components["schemas"]["instance.webhook-deliveries"]["deliveries"][number];

/** Other programs that are told of what happens. */
export const webhookText = {
  title: "Webhooks",
  newWebhook: "New webhook",
  why: "Another program of yours is told of what happens here, at its own address. What it is sent holds numbers and states, and no names.",
  none: "No webhooks yet",
  url: "Address",
  urlHelp: "Where the other program listens, https://lims.example/hooks.",
  events: "Told of",
  eventsInAll: (events: number): string => counted(events, "event", "events"),
  eventsMissing: "Choose what it is told of.",
  eventWords: {
    "order.submitted": "an order is submitted",
    "order.status": "an order changes its status",
    "reads.complete": "all reads of an order have arrived",
    "run.completed": "an analysis is done",
    "run.failed": "an analysis failed",
    "delivery.released": "a delivery is released",
    "message.created": "a message is written",
  } satisfies Record<Webhook["events"][number], string>,
  make: "Make webhook",
  made: "The webhook is made",
  madeWhat: (url: string): string =>
    `Give this secret to the program at ${url}. With it, it knows that a message comes from here.`,
  secret: "secret",
  by: "Made by",
  created: "Made",
  last: "Last delivery",
  never: "none yet",
  failingSince: "failing since",
  deliveries: "Deliveries",
  noDeliveries: "Nothing was sent yet",
  event: "Event",
  state: "State",
  states: { waiting: "Waiting", delivered: "Delivered", failed: "Failed" } satisfies Record<
    Delivery["status"],
    string
  >,
  answer: "Answer",
  attempts: (attempts: number): string => counted(attempts, "attempt", "attempts"),
  when: "When",
  next: "next attempt",
  retry: "Send again",
  retryOf: (event: string): string => `Send again: ${event}`,
  delete: "Delete",
  deleteOf: (url: string): string => `Delete the webhook to ${url}`,
  deleteWhat: "Nothing more is sent there, and what waits is dropped.",
} as const;
