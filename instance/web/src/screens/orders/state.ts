import { api, given } from "../../api/client";
import { type Pages, type ReadRows, usePages } from "../../api/pages";
import type { components, paths } from "../../api/schema";
import { dayOf } from "../../parts/day-range";
import type { OneClickStep } from "./bulk";

export type ListedOrder = components["schemas"]["instance.orders"]["orders"][number];
export type Query = NonNullable<paths["/api/orders"]["get"]["parameters"]["query"]>;

/** How many orders come at once. */
const PAGE = 200;

export const STAGES = [
  "DRAFT",
  "SUBMITTED",
  "SAMPLES_IN",
  "SEQUENCED",
  "READS",
  "ANALYSED",
  "DELIVERED",
] as const satisfies readonly ListedOrder["stage"][];

const SORTS = [
  "-created",
  "created",
  "-changed",
  "changed",
  "number",
  "-number",
  "name",
  "-name",
] as const satisfies readonly Query["sort"][];

/** Read what an address asks for; a word that is none is left out. */
export function queryOf(words: Readonly<Record<string, string>>): Query {
  const stage = STAGES.find((known) => known === words.stage);
  const sort = SORTS.find((known) => known === words.sort);
  const [from, to] = [dayOf(words.from), dayOf(words.to)];
  return {
    ...(words.q && { q: words.q }),
    ...(stage && { stage }),
    ...(words.platform && { platform: words.platform }),
    ...(words.owner && { owner: words.owner }),
    ...(from && { from }),
    ...(to && { to }),
    ...(words.needs === "me" && { needs: "me" }),
    ...(sort && { sort }),
  };
}

/** The orders of a query. */
export function useOrders(query: Query): Pages<ListedOrder> {
  const read: ReadRows<ListedOrder> = async (range, signal) => {
    const params = { query: { ...query, ...range } };
    const { orders, total } = await given(api.GET("/api/orders", { params, signal }));
    return { rows: orders, total };
  };
  return usePages(read, query, PAGE);
}

export async function saveStep(orderId: string, { noteType, content }: OneClickStep): Promise<void> {
  const path = { order_id: orderId };
  await given(api.POST("/api/orders/{order_id}/notes", { params: { path }, body: { noteType, content } }));
}
