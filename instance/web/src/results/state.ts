import { api, given } from "../api/client";
import type { components } from "../api/schema";

type Schemas = components["schemas"];
export type ListedRun = Schemas["instance.pipeline-runs"]["runs"][number];
export type Candidates = Schemas["instance.pipeline-run-candidates"];
export type Candidate = Candidates["readCandidates"][number];

/** What of a run is decided here. */
export type DecidedRun = Pick<
  ListedRun,
  "id" | "runNumber" | "status" | "pipelineId" | "orderId" | "studyId" | "isSelectedFinal" | "readCandidates"
>;

/** What a decision changes beside the run. */
export interface Stakes {
  /** The run that is the result now, where it is another one. */
  replaced: string | null;
  /** Whether the researcher has the files of the order already. */
  isReleased: boolean;
}

const of = (runId: string) => ({ params: { path: { run_id: runId } } });

export async function select(runId: string): Promise<void> {
  await given(api.PUT("/api/pipelines/runs/{run_id}/selection", of(runId)));
}

/** Withdraw a selection; when another run is selected by now, nothing changes. */
export async function withdraw(runId: string): Promise<void> {
  await given(api.DELETE("/api/pipelines/runs/{run_id}/selection", of(runId)));
}

export async function readCandidates(runId: string, signal: AbortSignal): Promise<Candidates> {
  return given(api.GET("/api/pipelines/runs/{run_id}/pending-writebacks", { ...of(runId), signal }));
}

/** Promote what was shown, and nothing that was offered since. */
export async function promote(runId: string, sampleIds: readonly string[]): Promise<number> {
  const call = api.POST("/api/pipelines/runs/{run_id}/pending-writebacks", {
    ...of(runId),
    body: { sampleIds: [...sampleIds] },
  });
  return (await given(call)).promoted;
}

export async function readIsReleased(orderId: string, signal: AbortSignal): Promise<boolean> {
  const params = { path: { order_id: orderId } };
  const { delivery } = await given(api.GET("/api/orders/{order_id}/sequencing/delivery", { params, signal }));
  return delivery.isPublished;
}

/** Read what a decision on one run would change. */
export async function readStakes(run: DecidedRun, signal: AbortSignal): Promise<Stakes> {
  const { pipelineId, orderId, studyId } = run;
  const target = orderId !== null ? { orderId } : { studyId: studyId ?? "" };
  const query = { pipelineId, ...target, publishedOnly: "true" as const };
  const [selected, isReleased] = await Promise.all([
    given(api.GET("/api/pipelines/runs", { params: { query }, signal })),
    orderId === null ? false : readIsReleased(orderId, signal),
  ]);
  return { replaced: replacedBy(run, selected.runs), isReleased };
}

/** The number of the run that is the result of the same pipeline and target now, where it is another one. */
export function replacedBy(run: DecidedRun, runs: readonly ListedRun[]): string | null {
  const current = runs.find(
    (one) =>
      one.isSelectedFinal &&
      one.pipelineId === run.pipelineId &&
      one.orderId === run.orderId &&
      one.studyId === run.studyId,
  );
  return current === undefined || current.id === run.id ? null : current.runNumber;
}

/** The first open candidate of each sample: the one that is promoted. */
export function openPairs(candidates: readonly Candidate[]): Candidate[] {
  const open = candidates.filter(({ status }) => status === "candidate");
  return [...new Map(open.toReversed().map((one) => [one.sampleId, one])).values()].toReversed();
}
