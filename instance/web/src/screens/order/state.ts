import { api, given } from "../../api/client";
import { Problem } from "../../api/problem";
import type { components, paths } from "../../api/schema";
import { text } from "../../text/en/common";

export type Order = components["schemas"]["instance.order"]["order"];
export type Sample = components["schemas"]["instance.order-samples"]["samples"][number];
export type Sampleset = components["schemas"]["instance.order-samples"]["sampleset"];
export type NoteType = Order["notes"][number]["noteType"];
export type Run = components["schemas"]["instance.pipeline-runs"]["runs"][number];

/** Numbers that were looked up: the API opens orders by id. */
const idOf = new Map<string, string>();

/** Read the order of an address, which names its number or its id. */
export async function readOrder(address: string, signal: AbortSignal): Promise<Order> {
  const id = idOf.get(address) ?? (await findId(address, signal));
  const { order } = await given(
    api.GET("/api/orders/{order_id}", { params: { path: { order_id: id } }, signal }),
  );
  idOf.set(order.orderNumber, order.id);
  return order;
}

async function findId(address: string, signal: AbortSignal): Promise<string> {
  if (!address.startsWith("ORD-")) return address;
  const { results } = await given(api.GET("/api/search", { params: { query: { q: address } }, signal }));
  const found = results.find(({ kind, label }) => kind === "ORDER" && label === address);
  if (!found) throw new Problem(text.cantSee, 404);
  return found.id;
}

export type SampleQuery = NonNullable<paths["/api/orders/{order_id}/samples"]["get"]["parameters"]["query"]>;

export interface SamplePage {
  samples: Sample[];
  total: number;
}

/** Read a page of the samples of an order; with an empty query all of them. */
export async function readSamples(
  orderId: string,
  query: SampleQuery,
  signal: AbortSignal | null = null,
): Promise<SamplePage> {
  const params = { path: { order_id: orderId }, query };
  const { samples, total } = await given(api.GET("/api/orders/{order_id}/samples", { params, signal }));
  return { samples, total: total ?? samples.length };
}

/** The runs of an order, newest first, and how many there are; a researcher gets those that are selected as its results. */
export async function readRuns(
  orderId: string,
  limit: number,
  signal: AbortSignal,
): Promise<{ runs: Run[]; total: number }> {
  const query = { orderId, limit };
  return given(api.GET("/api/pipelines/runs", { params: { query }, signal }));
}

export async function addNote(orderId: string, noteType: NoteType, content: string): Promise<void> {
  const path = { order_id: orderId };
  await given(api.POST("/api/orders/{order_id}/notes", { params: { path }, body: { noteType, content } }));
}

export async function moveTo(orderId: string, status: Order["status"], note: string): Promise<void> {
  const path = { order_id: orderId };
  const body = { status, note: note === "" ? null : note };
  await given(api.POST("/api/orders/{order_id}/status", { params: { path }, body }));
}

export type Person = components["schemas"]["instance.users"]["users"][number];

/** People who may own an order, by what stands in their name or email. */
export async function findPeople(q: string, signal: AbortSignal): Promise<Person[]> {
  const params = { query: { q, limit: 20 } };
  const { users } = await given(api.GET("/api/admin/users", { params, signal }));
  return users.filter(({ isActive }) => isActive);
}

export async function giveOrder(orderId: string, userId: string): Promise<void> {
  const params = { path: { order_id: orderId } };
  await given(api.POST("/api/orders/{order_id}/owner", { params, body: { userId } }));
}

export async function deleteOrder(orderId: string): Promise<void> {
  await given(api.DELETE("/api/orders/{order_id}", { params: { path: { order_id: orderId } } }));
}

/** Drafts that were begun and got no samples, by the order that was to be ordered again. */
const leftOver = new Map<string, string>();

async function discard(orderId: string, draftId: string): Promise<void> {
  try {
    await deleteOrder(draftId);
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.status !== 404) throw problem;
  }
  leftOver.delete(orderId);
}

/** Begin a draft with what an order asks for and its samples, and return its number: with all of it, or none. */
export async function orderAgain(order: Order, name: string): Promise<string> {
  const { platform, libraryStrategy, librarySource, customFields } = order;
  const path = { order_id: order.id };
  const left = leftOver.get(order.id);
  if (left !== undefined) await discard(order.id, left);
  const { samples, sampleset } = await given(api.GET("/api/orders/{order_id}/samples", { params: { path } }));
  const body = { name, platform, libraryStrategy, librarySource, customFields };
  const made = (await given(api.POST("/api/orders", { body }))).order;
  const rows = samples.map((sample) => ({
    sampleAlias: sample.sampleAlias,
    scientificName: sample.scientificName,
    taxId: sample.taxId,
    checklistData: sample.checklistData,
    checklistUnits: sample.checklistUnits,
    customFields: sample.customFields,
  }));
  const { checklists, selectedFields, fieldOverrides, sampleType } = sampleset;
  const sent = { samples: rows, sampleset: { checklists, selectedFields, fieldOverrides, sampleType } };
  const params = { path: { order_id: made.id }, query: { return: "counts" } as const };
  try {
    await given(api.POST("/api/orders/{order_id}/samples", { params, body: sent }));
  } catch (problem) {
    leftOver.set(order.id, made.id);
    // WHY not told: where it can't be deleted now, trying again begins with that.
    await discard(order.id, made.id).catch(() => {});
    throw problem;
  }
  return made.orderNumber;
}
