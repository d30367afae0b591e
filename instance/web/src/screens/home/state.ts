import { api, given } from "../../api/client";
import type { components } from "../../api/schema";
import { isPlace } from "../../place";

export type Overview = components["schemas"]["instance.overview"];
export type Line = Overview["waiting"][number];
export type Running = Overview["running"][number];
export type ListedOrder = components["schemas"]["instance.orders"]["orders"][number];

/** How many orders the start page shows: those that changed last. */
const ORDERS_SHOWN = 20;

export async function readOverview(signal: AbortSignal): Promise<Overview> {
  return given(api.GET("/api/overview", { signal }));
}

export async function readLatestOrders(
  signal: AbortSignal,
): Promise<{ orders: ListedOrder[]; total: number }> {
  const query = { sort: "-changed", limit: ORDERS_SHOWN } as const;
  return given(api.GET("/api/orders", { params: { query }, signal }));
}

/** What stays the same of a line while it waits: its time may not, that of a disk is always now. */
export const keyOf = (line: Line): string => `${line.kind} ${line.process ?? addressOf(line)}`;

/** The groups of the queue in the order in which the facility works; what is wrong with itself is one group. */
const GROUPS = [
  ["DRAFT"],
  ["SAMPLES_TO_SEND"],
  ["NEW_ORDER"],
  ["WAITING_FOR_SAMPLES"],
  ["TO_SEQUENCE"],
  ["WITHOUT_READS"],
  ["UPLOAD_STOPPED"],
  ["FILE_PROBLEM"],
  ["TO_ANALYSE"],
  ["RUN_FAILED"],
  ["RUN_WITHOUT_OUTPUTS"],
  ["RESULT_TO_SELECT"],
  ["TO_RELEASE"],
  ["MESSAGE"],
  ["DISK_LOW", "PROCESS_SILENT", "CATALOG_STALE"],
] as const satisfies readonly Line["kind"][][];

export type GroupName = (typeof GROUPS)[number][0];

export interface Group {
  name: GroupName;
  lines: Line[];
  /** How many wait in all, also those that are not shown. */
  count: number;
  /** How many of them are not shown. */
  more: number;
}

/** Group what waits and what has just been dealt with (`gone`), the oldest first in each group. */
export function groupsOf({ waiting, counts }: Pick<Overview, "waiting" | "counts">, gone: Line[]): Group[] {
  const lines = [...waiting, ...gone].toSorted((one, other) => one.since.localeCompare(other.since));
  return GROUPS.map((kinds) => {
    const isIn = ({ kind }: Line): boolean => kinds.some((one) => one === kind);
    const count = kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
    const more = count - waiting.filter(isIn).length;
    return { name: kinds[0], lines: lines.filter(isIn), count, more };
  }).filter((group) => group.lines.length > 0);
}

/** The tab of an order in which something is done. */
const TABS: Partial<Record<string, string>> = {
  SEQUENCE: "plans",
  ADD_READS: "reads",
  CHECK_FILES: "reads&state=problem",
  CONTINUE_UPLOAD: "reads",
  ANALYSE: "analyses",
  CHECK_RUN: "analyses",
  RESOLVE_OUTPUTS: "analyses",
  SELECT_RESULT: "analyses",
  RELEASE: "delivery",
  DOWNLOAD: "delivery",
} satisfies Partial<Record<Line["action"]["what"] | "DOWNLOAD", string>>;

/** Where a line of the queue leads. */
export function addressOf(
  line: Pick<Line, "run" | "ticket"> & { order?: { orderNumber: string }; action: { what: string } },
): string {
  const { order, run, ticket } = line;
  if (ticket) return `/messages/${ticket.id}`;
  const ofRun = run && `/runs/${run.runNumber}`;
  if (ofRun && (!order || isPlace(ofRun))) return ofRun;
  if (order && line.action.what === "FINISH_DRAFT") return `/orders/new?order=${order.orderNumber}`;
  if (order) {
    const tab = TABS[line.action.what];
    return `/orders/${order.orderNumber}${tab ? `?tab=${tab}` : ""}`;
  }
  return line.action.what === "SYNC_CATALOG" ? "/facility/catalog" : "/facility/health";
}

/** What a line is about, as people call it; null for the facility itself. */
export function subjectOf({ order, study, run, ticket }: Line): string | null {
  if (ticket) return ticket.subject;
  if (run) return run.runNumber;
  return order ? (order.name ?? order.orderNumber) : (study?.title ?? null);
}
