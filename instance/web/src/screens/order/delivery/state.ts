import { api, given } from "../../../api/client";
import type { components } from "../../../api/schema";
import type { ChecksumList } from "./check-state";
import type { Delivery } from "./files";

export type DeliveryLink = components["schemas"]["instance.delivery-links"]["links"][number];

const of = (orderId: string) => ({ params: { path: { order_id: orderId } } });

export async function readDelivery(orderId: string, signal: AbortSignal): Promise<Delivery> {
  const call = api.GET("/api/orders/{order_id}/sequencing/delivery", { ...of(orderId), signal });
  return (await given(call)).delivery;
}

export async function release(orderId: string): Promise<Delivery> {
  return (await given(api.PUT("/api/orders/{order_id}/sequencing/delivery/publication", of(orderId))))
    .delivery;
}

export async function takeBack(orderId: string): Promise<Delivery> {
  const call = api.DELETE("/api/orders/{order_id}/sequencing/delivery/publication", of(orderId));
  return (await given(call)).delivery;
}

export async function readLinks(orderId: string, signal: AbortSignal): Promise<DeliveryLink[]> {
  const call = api.GET("/api/orders/{order_id}/delivery/links", { ...of(orderId), signal });
  return (await given(call)).links;
}

/** Make a link; its address is told this once. */
export async function makeLink(orderId: string, days: number): Promise<{ link: DeliveryLink; url: string }> {
  return given(api.POST("/api/orders/{order_id}/delivery/links", { ...of(orderId), body: { days } }));
}

export async function revokeLink(orderId: string, linkId: string): Promise<void> {
  const path = { order_id: orderId, link_id: linkId };
  await given(api.DELETE("/api/orders/{order_id}/delivery/links/{link_id}", { params: { path } }));
}

export const deliveryAddress = (orderId: string, what: string): string =>
  `/api/orders/${orderId}/sequencing/delivery/${what}`;

/** The list that files are checked against, by their names in the archive. */
export async function readChecksumList(orderId: string): Promise<ChecksumList> {
  const call = api.GET("/api/orders/{order_id}/sequencing/delivery/checksums.md5", {
    ...of(orderId),
    parseAs: "text",
  });
  const { data, response } = await call;
  // The text of an empty list is nothing.
  const list = response.ok ? (data ?? "") : await given(call);
  return { list, unlisted: Number(response.headers.get("X-Service-Unlisted") ?? 0) };
}
