import { api, given } from "../../../api/client";
import type { components, paths } from "../../../api/schema";

export type Page = components["schemas"]["instance.sequencing-page"];
export type Row = Page["samples"][number];
export type Read = NonNullable<Row["read"]>;

type Query = NonNullable<paths["/api/orders/{order_id}/sequencing"]["get"]["parameters"]["query"]>;

/** What the address asks of the samples, and which page of them. */
export type ReadsQuery = Pick<Query, "q" | "state"> & { page: number };

/** As many as scroll well, and as the facility answers at once. */
export const PAGE_SIZE = 200;

export async function readPage(orderId: string, query: ReadsQuery, signal: AbortSignal): Promise<Page> {
  const params = { path: { order_id: orderId }, query: { ...query, pageSize: PAGE_SIZE } };
  return given(api.GET("/api/orders/{order_id}/sequencing", { params, signal }));
}
