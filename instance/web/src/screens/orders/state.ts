import { api, given } from "../../api/client";
import { type Resource, useList } from "../../api/resource";
import type { components, paths } from "../../api/schema";
import { dayOf } from "../../parts/day-range";
import type { OneClickStep } from "./bulk";

export type ListedOrder = components["schemas"]["instance.orders"]["orders"][number];
export type Query = NonNullable<paths["/api/orders"]["get"]["parameters"]["query"]>;

export interface OrderList {
  orders: ListedOrder[];
  total: number;
}

/** How many orders come at once. */
export const PAGE = 200;

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

async function readPages(query: Query, pages: number, signal: AbortSignal): Promise<OrderList> {
  const answers = await Promise.all(
    Array.from({ length: pages }, (_, page) =>
      given(
        api.GET("/api/orders", {
          params: { query: { ...query, limit: PAGE, offset: page * PAGE } },
          signal,
        }),
      ),
    ),
  );
  const byId = new Map(answers.flatMap(({ orders }) => orders.map((order) => [order.id, order])));
  return { orders: [...byId.values()], total: answers[0]?.total ?? 0 };
}

/** The orders of a query, so many pages of them; what was shown stays until the new answer is there. */
export function useOrderList(query: Query, pages: number): Resource<OrderList> {
  return useList((signal) => readPages(query, pages, signal), [JSON.stringify(query), pages]);
}

export type Person = components["schemas"]["instance.users"]["users"][number];

/** Whose orders there may be, for the filter of admins. */
export async function readOwners(signal: AbortSignal): Promise<Person[]> {
  const query = { role: "RESEARCHER", limit: 500 } as const;
  return (await given(api.GET("/api/admin/users", { params: { query }, signal }))).users;
}

export async function saveStep(orderId: string, { noteType, content }: OneClickStep): Promise<void> {
  const path = { order_id: orderId };
  await given(api.POST("/api/orders/{order_id}/notes", { params: { path }, body: { noteType, content } }));
}
