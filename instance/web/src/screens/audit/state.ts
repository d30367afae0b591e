import { api, given } from "../../api/client";
import { type Pages, type ReadRows, usePages } from "../../api/pages";
import type { components, paths } from "../../api/schema";
import { dayOf } from "../../parts/day-range";
import { pageOf } from "../../people/choices";
import { isPlace } from "../../place";

export type AuditEvent = components["schemas"]["instance.audit"]["events"][number];
export type Query = NonNullable<paths["/api/admin/audit"]["get"]["parameters"]["query"]>;

/** How many rows come at once. */
const PAGE = 100;

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

/** The rows of a query. */
export function useAudit(query: Query): Pages<AuditEvent> {
  const read: ReadRows<AuditEvent> = async (range, signal) => {
    const params = { query: { ...query, ...range } };
    const { events, total } = await given(api.GET("/api/admin/audit", { params, signal }));
    return { rows: events, total };
  };
  return usePages(read, query, PAGE);
}

/** Where objects of a type are looked after, and those that have a page of their own. */
const PLACES: Readonly<Record<string, (id: string) => string>> = {
  order: (id) => `/orders/${id}`,
  study: (id) => `/studies/${id}`,
  ticket: (id) => `/messages/${id}`,
  "pipeline-run": (id) => `/runs/${id}`,
  pipeline: (id) => `/facility/pipelines/${id}`,
  "reference-database": () => "/facility/pipelines?tab=data",
  user: pageOf,
  invite: () => "/facility/people?tab=invites",
  machine: () => "/facility/people?tab=machines",
  department: (id) => `/facility/people?department=${id}`,
  settings: (id) => `/facility/settings?section=${id}`,
  "order-form": () => "/facility/forms",
  "study-form": () => "/facility/forms",
  catalog: () => "/facility/catalog",
  checklist: () => "/facility/checklists",
  checklists: () => "/facility/checklists",
  webhook: () => "/facility/webhooks",
  mail: () => "/facility/mail",
};

/** After these there is nothing to go to. */
const GONE = /-(deleted|declined|removed)$/;

/** Where the object of a row is shown; null when there is no such place. */
export function placeOf({ action, objectType, objectId }: AuditEvent): string | null {
  const place = PLACES[objectType]?.(encodeURIComponent(objectId ?? ""));
  return place && objectId !== null && !GONE.test(action) && isPlace(place) ? place : null;
}
