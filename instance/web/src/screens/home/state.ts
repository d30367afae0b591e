import { api, given } from "../../api/client";
import type { components } from "../../api/schema";
import { text } from "../../text/en/order";

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

export const keyOf = (line: Line): string => `${line.kind} ${line.since} ${addressOf(line)}`;

/** What the facility records of an order with one click, where the line stands. */
export interface StepRecord {
  noteType: "ORDER_ACCEPTED" | "SAMPLES_RECEIVED";
  content: string;
}

export function recordOf({ action }: Line): StepRecord | null {
  if (action.what === "ACCEPT") return { noteType: "ORDER_ACCEPTED", content: text.acceptedDone };
  if (action.what === "RECEIVE_SAMPLES") return { noteType: "SAMPLES_RECEIVED", content: text.receivedDone };
  return null;
}

export async function saveRecord(orderId: string, record: StepRecord): Promise<void> {
  const path = { order_id: orderId };
  await given(api.POST("/api/orders/{order_id}/notes", { params: { path }, body: record }));
}

/** The tab of an order in which something is done. */
const TABS: Partial<Record<Line["action"]["what"] | "DOWNLOAD", string>> = {
  ANALYSE: "analyses",
  CHECK_RUN: "analyses",
  SELECT_RESULT: "analyses",
  RELEASE: "delivery",
  DOWNLOAD: "delivery",
};

/** Where a line of the queue leads. */
export function addressOf(
  line: Pick<Line, "run" | "ticket"> & { order?: { orderNumber: string }; action: { what: string } },
): string {
  const { order, run, ticket } = line;
  if (ticket) return `/messages/${ticket.id}`;
  if (run) return `/runs/${run.runNumber}`;
  if (order && line.action.what === "FINISH_DRAFT") return `/orders/new?order=${order.orderNumber}`;
  if (order) {
    const tab = Object.entries(TABS).find(([what]) => what === line.action.what)?.[1];
    return `/orders/${order.orderNumber}${tab ? `?tab=${tab}` : ""}`;
  }
  return line.action.what === "SYNC_CATALOG" ? "/facility/catalog" : "/facility/health";
}

/** What a line is about, as people call it. */
export function subjectOf({ order, study, run, ticket, process }: Line): string | null {
  if (ticket) return ticket.subject;
  if (run) return run.runNumber;
  return order ? (order.name ?? order.orderNumber) : (study?.title ?? process ?? null);
}
