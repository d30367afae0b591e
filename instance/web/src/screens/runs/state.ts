import { api, given } from "../../api/client";
import { type Pages, type ReadRows, usePages } from "../../api/pages";
import { Problem } from "../../api/problem";
import type { components, paths } from "../../api/schema";
import { text } from "../../text/en/common";

type Schemas = components["schemas"];
export type ListedRun = Schemas["instance.pipeline-runs"]["runs"][number];
export type Run = Schemas["instance.pipeline-run"]["run"];
export type RunStatus = Run["status"];
type ListQuery = NonNullable<paths["/api/pipelines/runs"]["get"]["parameters"]["query"]>;

export const STATUSES = [
  "pending",
  "queued",
  "running",
  "completed",
  "failed",
  "cancelled",
] as const satisfies readonly RunStatus[];

/** How many runs come at once. */
const PAGE = 100;

/** What narrows the list; all of it is in the address. */
export type Query = Pick<ListQuery, "q" | "status" | "pipelineId" | "pipelineVersion" | "orderId">;

/** Read what an address asks for; a word that is none is left out. Decision: G984. */
export function queryOf(words: Readonly<Record<string, string>>): Query {
  const status = STATUSES.find((known) => known === words.status);
  return {
    ...(words.q && { q: words.q }),
    ...(status && { status }),
    ...(words.pipelineId && { pipelineId: words.pipelineId }),
    ...(words.pipelineVersion && { pipelineVersion: words.pipelineVersion }),
    ...(words.order && { orderId: words.order }),
  };
}

/** The runs of a query. */
export function useRuns(query: Query): Pages<ListedRun> {
  const read: ReadRows<ListedRun> = async (range, signal) => {
    const params = { query: { ...query, ...range } };
    const { runs, total } = await given(api.GET("/api/pipelines/runs", { params, signal }));
    return { rows: runs, total };
  };
  return usePages(read, query, PAGE);
}

/** The pipelines of the facility, for the filter of admins. */
export async function readPipelines(signal: AbortSignal): Promise<{ id: string; name: string }[]> {
  return (await given(api.GET("/api/admin/pipelines", { signal }))).pipelines;
}

/** Numbers that were looked up: the API opens runs by id. */
const idOf = new Map<string, string>();

/** Read the run of an address, which names its number or its id. */
export async function readRun(address: string, signal: AbortSignal): Promise<Run> {
  const id = idOf.get(address) ?? (await findId(address, signal));
  const { run } = await given(
    api.GET("/api/pipelines/runs/{run_id}", { params: { path: { run_id: id } }, signal }),
  );
  idOf.set(run.runNumber, run.id);
  return run;
}

const IS_NUMBER = /-/;

async function findId(address: string, signal: AbortSignal): Promise<string> {
  if (!IS_NUMBER.test(address)) return address;
  const { results } = await given(api.GET("/api/search", { params: { query: { q: address } }, signal }));
  const wanted = address.toUpperCase();
  const found = results.find(({ kind, label }) => kind === "RUN" && label.toUpperCase() === wanted);
  if (!found) throw new Problem(text.cantSee, 404);
  return found.id;
}

/** Statuses of a run that is not over. */
export const isActive = ({ status }: Pick<Run, "status">): boolean =>
  status === "pending" || status === "queued" || status === "running";

export type Evidence = Schemas["instance.pipeline-run-evidence"]["evidence"];

export async function readEvidence(runId: string, signal: AbortSignal): Promise<Evidence> {
  const params = { path: { run_id: runId } };
  const answer = await given(api.GET("/api/pipelines/runs/{run_id}/evidence", { params, signal }));
  return answer.evidence;
}

export type RunFile = Schemas["instance.pipeline-run-files"]["files"][number];

/** How many files come at once. */
export const FILES_PAGE = 500;

export async function readFiles(
  runId: string,
  pages: number,
  signal: AbortSignal,
): Promise<{ files: RunFile[]; total: number }> {
  const answers = await Promise.all(
    Array.from({ length: pages }, (_, page) => {
      const query = { limit: FILES_PAGE, offset: page * FILES_PAGE };
      const params = { path: { run_id: runId }, query };
      return given(api.GET("/api/pipelines/runs/{run_id}/files", { params, signal }));
    }),
  );
  return { files: answers.flatMap(({ files }) => files), total: answers[0]?.total ?? 0 };
}

export type Sequenced = Schemas["instance.pipeline-run-sequenced-reads"];
export type SequencedSample = Sequenced["samples"][number];

export async function readSequenced(runId: string, signal: AbortSignal): Promise<Sequenced> {
  const params = { path: { run_id: runId } };
  return given(api.GET("/api/pipelines/runs/{run_id}/sequenced-reads", { params, signal }));
}

/** Have the reads of these samples filed; return how many were not asked for before. */
export async function fileReads(runId: string, sampleIds: readonly string[]): Promise<number> {
  const params = { path: { run_id: runId } };
  const body = { sampleIds: [...sampleIds] };
  return (await given(api.POST("/api/pipelines/runs/{run_id}/sequenced-reads", { params, body }))).queued;
}

type Task = Schemas["instance.pipeline-run-tasks"]["tasks"][number];

/** The task that failed first; later ones often only follow from it. */
export async function readFirstFailed(runId: string, signal: AbortSignal): Promise<Task | null> {
  const query = { status: "FAILED", limit: 1 };
  const params = { path: { run_id: runId }, query };
  const { tasks } = await given(api.GET("/api/pipelines/runs/{run_id}/tasks", { params, signal }));
  return tasks[0] ?? null;
}
