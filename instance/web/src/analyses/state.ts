import { api, given } from "../api/client";
import { Problem, readDetail } from "../api/problem";
import type { components } from "../api/schema";

type Schemas = components["schemas"];
export type Pipeline = Schemas["instance.pipelines"]["pipelines"][number];
export type Readiness = Schemas["instance.pipelines-readiness"]["pipelines"][number];
export type Database = Schemas["instance.reference-databases"]["databases"][number];
export type Options = Schemas["instance.run-options"]["options"];
export type SampleOption = Options["samples"][number];
export type SequencingRunOption = NonNullable<Options["sequencingRuns"]>[number];
export type MadeRun = Schemas["instance.pipeline-run-created"]["run"];
export type Started = Schemas["instance.pipeline-run-started"];
export type Check = Schemas["instance.pipeline-run-validation"];
type RunBody = Schemas["instance.requests.pipeline-run"];
export type Mode = NonNullable<RunBody["executionMode"]>;

/** What is analysed: the samples of an order, or of a study. */
export interface Target {
  kind: "order" | "study";
  id: string;
  /** What people call it. */
  name: string;
}

/** What somebody has chosen of a run. */
export interface Choices {
  pipelineId: string;
  /** Samples, or the sequencing run of a pipeline that works on one: that has samples of its own. */
  input: { sampleIds: readonly string[] } | { sequencingRun: SequencingRunOption };
  /** Only what differs from its default. */
  config: Readonly<Record<string, unknown>>;
  /** Empty: where the facility runs it. */
  mode: string;
}

const idOf = ({ kind, id }: Target) => (kind === "order" ? { orderId: id } : { studyId: id });

/** On how many samples a run would work. */
export const samplesOf = ({ input }: Choices): number =>
  "sampleIds" in input ? input.sampleIds.length : input.sequencingRun.samples;

function bodyOf(target: Target, { pipelineId, input, config, mode }: Choices): RunBody {
  return {
    pipelineId,
    ...idOf(target),
    ...("sampleIds" in input
      ? { sampleIds: [...input.sampleIds] }
      : { sequencingRunId: input.sequencingRun.id }),
    ...(Object.keys(config).length > 0 && { config }),
    ...(mode !== "" && { executionMode: mode as Mode }),
  };
}

export async function readPipelines({ kind }: Target, signal: AbortSignal): Promise<Pipeline[]> {
  const params = { query: { target: kind } };
  return (await given(api.GET("/api/pipelines", { params, signal }))).pipelines;
}

export interface Ground {
  readiness: Readiness[];
  databases: Database[];
}

/** What stands ready for pipelines: programs, settings, reference data. */
export async function readGround(signal: AbortSignal): Promise<Ground> {
  const [readiness, databases] = await Promise.all([
    given(api.GET("/api/admin/pipelines/readiness", { signal })),
    given(api.GET("/api/admin/databases", { signal })),
  ]);
  return { readiness: readiness.pipelines, databases: databases.databases };
}

export async function readOptions(target: Target, pipelineId: string, signal: AbortSignal): Promise<Options> {
  const params = { path: { pipeline_id: pipelineId }, query: idOf(target) };
  return (await given(api.GET("/api/pipelines/{pipeline_id}/run-options", { params, signal }))).options;
}

export async function check(target: Target, choices: Choices, signal: AbortSignal): Promise<Check> {
  return given(api.POST("/api/pipelines/runs/validate", { body: bodyOf(target, choices), signal }));
}

export async function makeRun(target: Target, choices: Choices): Promise<MadeRun> {
  return (await given(api.POST("/api/pipelines/runs", { body: bodyOf(target, choices) }))).run;
}

/** Start a run. Null: it had been started already, by somebody else or by a click whose answer was lost. */
export async function startRun(runId: string): Promise<Started | null> {
  const params = { path: { run_id: runId } };
  try {
    return await given(api.POST("/api/pipelines/runs/{run_id}/start", { params }));
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.status === 404) throw problem;
    const { run } = await given(api.GET("/api/pipelines/runs/{run_id}", { params })).catch(() => {
      throw problem;
    });
    if (run.status === "pending" || run.status === "failed") throw problem;
    return null;
  }
}

/** Delete a run; one that is gone already is gone. */
export async function deleteRun(runId: string): Promise<void> {
  const params = { path: { run_id: runId } };
  try {
    await given(api.POST("/api/pipelines/runs/{run_id}/delete", { params }));
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.status !== 404) throw problem;
  }
}

/** What a check says of values of the configuration, by their key, and all the rest of it. */
export function errorsOf(found: Check | null, keys: readonly string[]) {
  const fields = new Map<string, string>();
  const others: string[] = [];
  for (const line of found?.details ?? []) {
    const { path, reason } = readDetail(line);
    const key = keys.find(
      (known) => path === known || path?.startsWith(`${known}.`) || path?.startsWith(`${known}[`),
    );
    if (key === undefined) others.push(line);
    else if (!fields.has(key)) fields.set(key, reason);
  }
  return { fields, others };
}
