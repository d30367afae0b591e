import type { components } from "../../api/schema";

type Preference = components["schemas"]["instance.mail-preferences"]["preferences"][number];
export type MailEvent = Preference["event"];
export type MailWhen = Preference["when"];

/** What the facility writes to somebody, and how often. */
export const mailText = {
  title: "Mail from the facility",
  why: "What you are written to about, and how often. A daily mail holds everything of a day.",
  address: (email: string): string => `It goes to ${email}.`,
  events: {
    "registration.waiting": "Somebody registered and waits for the facility",
    "order.submitted": "An order was submitted",
    "order.accepted": "An order was accepted",
    "order.status": "An order has a new status",
    "reads.complete": "All reads of an order are there",
    "run.completed": "An analysis ended",
    "run.failed": "An analysis failed",
    "delivery.released": "Files were released for download",
    "delivery.link-ending": "A download link is about to end",
    "message.created": "Somebody wrote a message",
  } satisfies Record<MailEvent, string>,
  // How often an event is told, by its name in the API.
  when: { "at-once": "At once", daily: "Daily", never: "Never" } satisfies Record<MailWhen, string>,
  save: "Save",
  saved: "Saved",
} as const;
