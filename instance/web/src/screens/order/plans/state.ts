import { api, given } from "../../../api/client";
import { type Detail, Problem, readDetail } from "../../../api/problem";
import type { components } from "../../../api/schema";
import type { Sample } from "../state";

export type Run = components["schemas"]["instance.sequencing-runs"]["runs"][number];
export type RunBody = components["schemas"]["instance.requests.sequencing-run"];
export type Places = components["schemas"]["instance.run-assignments"];
export type Place = Places["assignments"][number];
export type PlaceBody = components["schemas"]["instance.requests.run-assignments"]["assignments"][number];
export type Preview = components["schemas"]["instance.run-plan-preview"];
export type Applied = components["schemas"]["instance.run-plan-applied"];
export type Check = components["schemas"]["instance.run-plan-check"];
export type CheckRow = components["schemas"]["instance.requests.run-plan-check"]["rows"][number];
export type BarcodeSet = components["schemas"]["instance.barcode-sets"]["sets"][number];
export type Format = "illumina" | "minknow";

const of = (orderId: string) => ({ path: { order_id: orderId } });
const ofRun = (orderId: string, runId: string) => ({ path: { order_id: orderId, run_id: runId } });

export async function readRuns(orderId: string, signal: AbortSignal | null = null): Promise<Run[]> {
  const call = api.GET("/api/orders/{order_id}/sequencing/runs", { params: of(orderId), signal });
  return (await given(call)).runs;
}

export async function createRun(orderId: string, body: RunBody & { runId: string }): Promise<Run> {
  const call = api.POST("/api/orders/{order_id}/sequencing/runs", { params: of(orderId), body });
  return (await given(call)).run;
}

export async function saveRun({ orderId, id }: Run, body: RunBody): Promise<Run> {
  const params = ofRun(orderId, id);
  return (await given(api.PATCH("/api/orders/{order_id}/sequencing/runs/{run_id}", { params, body }))).run;
}

/** Delete a run; one that is gone already is gone. */
export async function deleteRun({ orderId, id }: Run): Promise<void> {
  const params = ofRun(orderId, id);
  try {
    await given(api.DELETE("/api/orders/{order_id}/sequencing/runs/{run_id}", { params }));
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.status !== 404) throw problem;
  }
}

export async function readPlaces({ orderId, id }: Run, signal: AbortSignal | null = null): Promise<Places> {
  const params = ofRun(orderId, id);
  return given(api.GET("/api/orders/{order_id}/sequencing/runs/{run_id}/samples", { params, signal }));
}

/** Store these places, and no others, unless somebody else has changed the run since `baseUpdatedAt`. */
export async function savePlaces(
  { orderId, id }: Run,
  assignments: PlaceBody[],
  baseUpdatedAt: string,
): Promise<Places> {
  const params = ofRun(orderId, id);
  const body = { assignments, replace: true, baseUpdatedAt };
  return given(api.POST("/api/orders/{order_id}/sequencing/runs/{run_id}/samples", { params, body }));
}

/** Ask what is wrong with barcodes as they would be stored; changes nothing. */
export async function checkPlan(
  orderId: string,
  rows: CheckRow[],
  replace: boolean,
  signal: AbortSignal | null = null,
): Promise<Check> {
  const params = of(orderId);
  const body = { rows, replace };
  return given(api.POST("/api/orders/{order_id}/sequencing/runs/check", { params, body, signal }));
}

/** All samples of an order. */
export async function readSamples(orderId: string, signal: AbortSignal): Promise<Sample[]> {
  return (await given(api.GET("/api/orders/{order_id}/samples", { params: of(orderId), signal }))).samples;
}

let sets: Promise<BarcodeSet[]> | null = null;

/** The sets of barcodes that the catalog knows; read once a visit. */
export function readBarcodeSets(): Promise<BarcodeSet[]> {
  sets ??= given(api.GET("/api/sequencing/barcode-sets")).then(({ sets: found }) => found);
  sets.catch(() => {
    sets = null;
  });
  return sets;
}

/** The names of the instruments that the catalog knows. */
export async function readInstruments(signal: AbortSignal): Promise<string[]> {
  const { devices } = await given(api.GET("/api/sequencing-tech", { signal }));
  return devices.map((device) =>
    "name" in device && typeof device.name === "string" ? device.name : device.id,
  );
}

const importing = (orderId: string, file: File, apply: boolean) => {
  const form = new FormData();
  form.append("file", file);
  const query = apply ? { apply: "true" as const } : {};
  return api.POST("/api/orders/{order_id}/sequencing/runs/import", {
    params: { ...of(orderId), query },
    body: { file: file.name },
    bodySerializer: () => form,
  });
};

export const previewPlan = async (orderId: string, file: File): Promise<Preview> =>
  given(importing(orderId, file, false));

/** Store a plan; null when the service has found something wrong with it since it was looked at. */
export async function applyPlan(orderId: string, file: File): Promise<Applied["createdOrUpdated"]> {
  const answer = await given(importing(orderId, file, true));
  return "createdOrUpdated" in answer ? answer.createdOrUpdated : [];
}

export const templateAddress = (orderId: string): string => `/api/orders/${orderId}/sequencing/runs/template`;
export const exportAddress = ({ orderId, id }: Run): string =>
  `/api/orders/${orderId}/sequencing/runs/${id}/export`;
export const sheetAddress = ({ orderId, id }: Run, format: Format): string =>
  `/api/orders/${orderId}/sequencing/runs/${id}/sample-sheet?format=${format}`;

/** A sample sheet as far as it can be written, and what the instrument would refuse in it. */
export async function readSheet(
  { orderId, id }: Run,
  format: Format,
  signal: AbortSignal,
): Promise<{ text: string; problems: readonly Detail[] }> {
  const params = { ...ofRun(orderId, id), query: { format } };
  const path = "/api/orders/{order_id}/sequencing/runs/{run_id}/sample-sheet/preview";
  const { text, problems } = await given(api.GET(path, { params, signal }));
  return { text, problems: problems.map(readDetail) };
}
