/** What this page asks of the API. */
import { api, given } from "../../api/client";
import { Problem } from "../../api/problem";
import type { components } from "../../api/schema";
import type { Choice } from "../../grid/choices";
import { text as common } from "../../text/en/common";
import type { Order, OrderBody } from "./answers";
import { type Form, ORGANISM, type Sample, type SampleRow, TAX_ID } from "./samples";

export type Check = components["schemas"]["instance.order-check"];
export type CheckProblem = Check["problems"][number];
export type ImportPreview = components["schemas"]["instance.sample-table-import"];

export async function readForm(signal?: AbortSignal): Promise<Form> {
  return given(api.GET("/api/form-schema", { signal: signal ?? null }));
}

/** Read the order of an address, which names its number or its id. */
export async function readOrder(address: string, signal?: AbortSignal): Promise<Order> {
  const id = address.startsWith("ORD-") ? await findId(address, signal) : address;
  const params = { path: { order_id: id } };
  return (await given(api.GET("/api/orders/{order_id}", { params, signal: signal ?? null }))).order;
}

async function findId(number: string, signal: AbortSignal | undefined): Promise<string> {
  const params = { query: { q: number } };
  const { orders } = await given(api.GET("/api/orders", { params, signal: signal ?? null }));
  const found = orders.find(({ orderNumber }) => orderNumber === number);
  if (found === undefined) throw new Problem(common.cantSee, 404);
  return found.id;
}

export interface StoredSamples {
  readonly samples: readonly Sample[];
  readonly checklists: readonly string[];
}

export async function readSamples(orderId: string, signal?: AbortSignal): Promise<StoredSamples> {
  const params = { path: { order_id: orderId } };
  const answer = await given(api.GET("/api/orders/{order_id}/samples", { params, signal: signal ?? null }));
  return { samples: answer.samples, checklists: answer.sampleset.checklists ?? [] };
}

export async function createOrder(body: OrderBody): Promise<Order> {
  return (await given(api.POST("/api/orders", { body }))).order;
}

export async function saveOrder(orderId: string, body: OrderBody): Promise<Order> {
  const params = { path: { order_id: orderId } };
  return (await given(api.PUT("/api/orders/{order_id}", { params, body }))).order;
}

/** Ask what the server says of rows, and change nothing. A refusal says it as well. */
export async function judgeRows(orderId: string, samples: SampleRow[]): Promise<readonly CheckProblem[]> {
  const params = { path: { order_id: orderId }, query: { dryRun: "true", return: "counts" } as const };
  const answer = await given(api.POST("/api/orders/{order_id}/samples", { params, body: { samples } }));
  return answer.problems ?? [];
}

/** What a save made of rows, in their order. */
export interface SavedRows {
  readonly ids: readonly (string | null)[];
  readonly updatedAt: readonly string[];
  /** Something was sent that the form in force does not ask. */
  readonly isPartly: boolean;
}

/** Save rows all or nothing. */
export async function saveRows(
  orderId: string,
  samples: SampleRow[],
  checklists: readonly string[] | null,
): Promise<SavedRows> {
  const params = { path: { order_id: orderId }, query: { return: "counts" } as const };
  const body = checklists === null ? { samples } : { samples, sampleset: { checklists: [...checklists] } };
  const answer = await given(api.POST("/api/orders/{order_id}/samples", { params, body }));
  const isPartly = answer.warnings !== undefined;
  return "ids" in answer
    ? { ids: answer.ids, updatedAt: answer.updatedAt ?? [], isPartly }
    : { ids: [], updatedAt: [], isPartly };
}

/** Delete a sample; one that is gone already is gone. */
export async function deleteSample(sampleId: string): Promise<void> {
  const params = { path: { sample_id: sampleId } };
  try {
    await given(api.DELETE("/api/samples/{sample_id}", { params }));
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.status !== 404) throw problem;
  }
}

export async function checkOrder(orderId: string): Promise<Check> {
  return given(api.GET("/api/orders/{order_id}/check", { params: { path: { order_id: orderId } } }));
}

export async function submitOrder(orderId: string): Promise<Order> {
  const params = { path: { order_id: orderId } };
  return (await given(api.POST("/api/orders/{order_id}/status", { params, body: { status: "SUBMITTED" } })))
    .order;
}

export async function importFile(orderId: string, file: File, apply: boolean): Promise<ImportPreview> {
  const format = file.name.toLowerCase().endsWith(".csv") ? ("csv" as const) : ("xlsx" as const);
  const query = apply ? { format, apply: "true" as const } : { format };
  const params = { path: { order_id: orderId }, query };
  const form = new FormData();
  form.append("file", file);
  return given(
    api.POST("/api/orders/{order_id}/samples/import", {
      params,
      body: { file: file.name },
      bodySerializer: () => form,
    }),
  );
}

/** Suggest organisms; one that is chosen brings its taxonomy id. */
export async function suggestTaxa(typed: string, signal: AbortSignal): Promise<Choice[]> {
  if (typed.trim().length < 2) return [];
  const params = { query: { q: typed.trim() } };
  const { taxa } = await given(api.GET("/api/taxa", { params, signal }));
  return taxa.map(({ taxId, scientificName }) => ({
    label: scientificName,
    detail: taxId,
    texts: new Map([
      [ORGANISM, scientificName],
      [TAX_ID, taxId],
    ]),
  }));
}
