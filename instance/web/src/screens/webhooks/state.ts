import { api, given } from "../../api/client";
import type { components } from "../../api/schema";
import { webhookText as text } from "../../text/en/webhooks";
import { list } from "../../text/format";

type Schemas = components["schemas"];
export type Webhook = Schemas["instance.webhooks"]["webhooks"][number];
export type Event = Webhook["events"][number];
export type Delivery = Schemas["instance.webhook-deliveries"]["deliveries"][number];

export async function readWebhooks(signal: AbortSignal): Promise<Webhook[]> {
  return (await given(api.GET("/api/admin/webhooks", { signal }))).webhooks;
}

/** Make a webhook, and return its secret, which is told once. */
export async function makeWebhook(url: string, events: Event[]): Promise<string> {
  return (await given(api.POST("/api/admin/webhooks", { body: { url: url.trim(), events } }))).secret;
}

export async function deleteWebhook({ id }: Webhook): Promise<void> {
  await given(api.DELETE("/api/admin/webhooks/{webhook_id}", { params: { path: { webhook_id: id } } }));
}

export async function readDeliveries({ id }: Webhook, signal: AbortSignal): Promise<Delivery[]> {
  const params = { path: { webhook_id: id } };
  return (await given(api.GET("/api/admin/webhooks/{webhook_id}/deliveries", { params, signal }))).deliveries;
}

export async function sendAgain({ id }: Webhook, delivery: Delivery): Promise<void> {
  const params = { path: { webhook_id: id, delivery_id: delivery.id } };
  await given(api.POST("/api/admin/webhooks/{webhook_id}/deliveries/{delivery_id}/retry", { params }));
}

/** What a webhook is told of, in one sentence. */
export const eventsOf = ({ events }: Webhook): string => list(events.map((event) => text.eventWords[event]));
