import { api, given } from "../../api/client";
import { type Resource, useList } from "../../api/resource";
import type { components, paths } from "../../api/schema";
import { dayOf } from "../../parts/day-range";
import { isPlace } from "../../place";

export type AuditEvent = components["schemas"]["instance.audit"]["events"][number];
export type Query = NonNullable<paths["/api/admin/audit"]["get"]["parameters"]["query"]>;

/** How many rows come at once. */
export const PAGE = 100;

/** Read what an address asks for. */
export function queryOf(words: Readonly<Record<string, string>>): Query {
  const [from, to] = [dayOf(words.from), dayOf(words.to)];
  return {
    ...(words.action && { action: words.action }),
    ...(words.object && { objectId: words.object }),
    ...(words.actor && { actor: words.actor }),
    ...(from && { from }),
    ...(to && { to }),
  };
}

export type Person = components["schemas"]["instance.users"]["users"][number];

/** Who may have done something, for the filter. */
export async function readPeople(signal: AbortSignal): Promise<Person[]> {
  return (await given(api.GET("/api/admin/users", { params: { query: { limit: 500 } }, signal }))).users;
}

interface AuditList {
  events: AuditEvent[];
  total: number;
}

async function readPages(query: Query, pages: number, signal: AbortSignal): Promise<AuditList> {
  const answers = await Promise.all(
    Array.from({ length: pages }, (_, page) => {
      const params = { query: { ...query, limit: PAGE, offset: page * PAGE } };
      return given(api.GET("/api/admin/audit", { params, signal }));
    }),
  );
  const byId = new Map(answers.flatMap(({ events }) => events.map((event) => [event.id, event])));
  return { events: [...byId.values()], total: answers[0]?.total ?? 0 };
}

/** The rows of a query, so many pages of them; what was shown stays until the new answer is there. */
export function useAudit(query: Query, pages: number): Resource<AuditList> {
  return useList((signal) => readPages(query, pages, signal), [JSON.stringify(query), pages]);
}

const PLACES: Readonly<Record<string, string>> = {
  order: "/orders/",
  study: "/studies/",
  ticket: "/messages/",
  "pipeline-run": "/runs/",
};

/** Where the object of a row is shown; null when there is no such place. */
export function placeOf({ objectType, objectId }: AuditEvent): string | null {
  const place = PLACES[objectType];
  if (place === undefined || objectId === null || !isPlace(place + objectId)) return null;
  return place + objectId;
}
