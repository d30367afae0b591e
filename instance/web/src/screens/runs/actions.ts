import { api, given } from "../../api/client";
import { asProblem } from "../../api/resource";
import type { components } from "../../api/schema";
import type { Run } from "./state";

const pathOf = ({ id }: Pick<Run, "id">) => ({ params: { path: { run_id: id } } });

export async function cancelRun(run: Run): Promise<void> {
  await given(api.DELETE("/api/pipelines/runs/{run_id}", pathOf(run)));
}

/** Start a run that was made; it may wait for room first. */
export async function startRun(run: Pick<Run, "id">): Promise<void> {
  await given(api.POST("/api/pipelines/runs/{run_id}/start", pathOf(run)));
}

/** Let a run that has ended go on where it was. */
export async function resumeRun(run: Run): Promise<void> {
  await given(api.POST("/api/pipelines/runs/{run_id}/resume", pathOf(run)));
}

export interface StartedAgain {
  run: components["schemas"]["instance.pipeline-run-created"]["run"];
  /** Why the new run is there and not started. */
  refusal: string | null;
}

/** Make a run with the same choices and start it. */
export async function startAgain(run: Run): Promise<StartedAgain> {
  const made = await given(api.POST("/api/pipelines/runs/{run_id}/start-again", pathOf(run)));
  try {
    await startRun(made.run);
    return { run: made.run, refusal: null };
  } catch (error) {
    return { run: made.run, refusal: asProblem(error).message };
  }
}
