import { api, given, patiently } from "../../../api/client";
import { Problem } from "../../../api/problem";
import type { components, paths } from "../../../api/schema";
import { text as common } from "../../../text/en/common";
import { workText as text } from "../../../text/en/reads";

export type Page = components["schemas"]["instance.sequencing-page"];
export type Row = Page["samples"][number];
export type Read = NonNullable<Row["read"]>;
export type DataClass = Read["dataClass"];
export type Md5State = NonNullable<Row["md5State1"]>;
export type History = components["schemas"]["instance.sample-reads"];
export type PastRead = History["reads"][number];
export type Artifact = components["schemas"]["instance.sequencing-artifacts"]["artifacts"][number];
export type ArtifactChange = components["schemas"]["instance.requests.artifact-change"];
export type Disk = components["schemas"]["instance.files-on-disk"];
export type DiskFile = Disk["files"][number];
export type Plan = components["schemas"]["instance.upload-plan"];
export type Assignment = components["schemas"]["instance.requests.reads"]["assignments"][number];
type PlanBody = components["schemas"]["instance.requests.upload-plan"];
type Clearable = NonNullable<components["schemas"]["instance.requests.read-change"]["clear"]>[number];
type Query = NonNullable<paths["/api/orders/{order_id}/sequencing"]["get"]["parameters"]["query"]>;

export const DATA_CLASSES = ["raw", "cleaned", "unknown"] as const satisfies readonly DataClass[];
export const MD5_STATES = [
  "none",
  "given",
  "computed",
  "verified",
  "differs",
] as const satisfies readonly Md5State[];

/** What the address asks of the samples. */
export type Wanted = Pick<Query, "q" | "state" | "md5" | "dataClass">;

/** As many as scroll well, and as the facility answers at once. */
export const PAGE_SIZE = 200;
/** As many as the facility answers at most. */
const WHOLE_PAGE = 500;

const of = (orderId: string) => ({ path: { order_id: orderId } });

export async function readPage(
  orderId: string,
  wanted: Wanted & { page: number; pageSize?: number },
  signal: AbortSignal | null = null,
): Promise<Page> {
  const params = { ...of(orderId), query: { pageSize: PAGE_SIZE, ...wanted } };
  return given(api.GET("/api/orders/{order_id}/sequencing", { params, signal }));
}

/** Read what the address asks for, of all pages. */
export async function readAll(orderId: string, wanted: Wanted): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const { samples, total = 0 } = await readPage(orderId, { ...wanted, page, pageSize: WHOLE_PAGE });
    rows.push(...samples);
    if (samples.length === 0 || rows.length >= total) return rows;
  }
}

/** The reads that a sample has and had; `sample` is its code or id. */
export async function readHistory(orderId: string, sample: string, signal: AbortSignal): Promise<History> {
  const params = { ...of(orderId), query: { sampleId: sample } };
  return given(api.GET("/api/orders/{order_id}/sequencing/reads", { params, signal }));
}

export async function changeClass(
  orderId: string,
  readId: string,
  dataClass: DataClass,
  note: string,
): Promise<void> {
  const body = { readId, dataClass, clear: null, note: note === "" ? null : note };
  await given(api.PATCH("/api/orders/{order_id}/sequencing/reads", { params: of(orderId), body }));
}

export async function removeFromUse(
  orderId: string,
  readId: string,
  clear: Clearable[],
  note: string,
): Promise<void> {
  const body = { readId, clear, note: note === "" ? null : note };
  await given(api.PATCH("/api/orders/{order_id}/sequencing/reads", { params: of(orderId), body }));
}

/** Compute the MD5 of some files; returns why some of them have none, by path. */
export async function computeMd5(filePaths: string[]): Promise<Map<string, string>> {
  try {
    const call = api.POST("/api/files/checksum", { body: { filePaths }, fetch: patiently });
    const { results } = await given(call);
    return new Map(results.flatMap(({ filePath, error }) => (error ? [[filePath, error]] : [])));
  } catch (error) {
    // Who stopped waiting is this page or a proxy; the service has begun and goes on.
    const isLate = error instanceof Problem && (error.status === 504 || error.message === common.tookTooLong);
    if (!isLate) throw error;
    return new Map(filePaths.map((path) => [path, text.goesOn]));
  }
}

/** Delete some files from disk; returns why some of them are still there, by path. */
export async function deleteFiles(filePaths: string[]): Promise<Map<string, string>> {
  const call = api.POST("/api/files/delete", { body: { filePaths }, fetch: patiently });
  const { errors } = await given(call);
  return new Map(errors.map(({ path, error }) => [path, error]));
}

export async function readArtifacts(orderId: string, signal: AbortSignal): Promise<Artifact[]> {
  const call = api.GET("/api/orders/{order_id}/sequencing/artifacts", { params: of(orderId), signal });
  return (await given(call)).artifacts;
}

export async function changeArtifact(orderId: string, id: string, body: ArtifactChange): Promise<void> {
  const params = { path: { order_id: orderId, artifact_id: id } };
  await given(api.PATCH("/api/orders/{order_id}/sequencing/artifacts/{artifact_id}", { params, body }));
}

export async function readDisk(
  orderId: string,
  folder: string,
  below: boolean,
  signal: AbortSignal,
): Promise<Disk> {
  const query = { ...(folder && { folder }), ...(below && { below }) };
  const params = { ...of(orderId), query };
  return given(api.GET("/api/orders/{order_id}/sequencing/files-on-disk", { params, signal }));
}

/** Ask which sample and mate each file is of: the rule of an upload. */
export async function readPlan(orderId: string, body: PlanBody, signal: AbortSignal): Promise<Plan> {
  const params = of(orderId);
  return given(api.POST("/api/orders/{order_id}/sequencing/uploads/plan", { params, body, signal }));
}

export async function linkFiles(orderId: string, assignments: Assignment[]): Promise<void> {
  const body = { assignments };
  const params = of(orderId);
  await given(api.PUT("/api/orders/{order_id}/sequencing/reads", { params, body, fetch: patiently }));
}

export const downloadOf = (path: string): string => `/api/files/download?path=${encodeURIComponent(path)}`;
