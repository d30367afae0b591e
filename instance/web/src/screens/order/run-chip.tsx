import { Chip, type Tone } from "../../parts/chip";
import { text } from "../../text/en/order";
import type { Run } from "./state";

const TONES: Record<Run["status"], Tone> = {
  pending: "wait",
  queued: "wait",
  running: "run",
  completed: "ok",
  failed: "bad",
  cancelled: "calm",
};

/** The state of a run, in a word. */
export function RunChip({ run }: { run: Pick<Run, "status" | "progress"> }) {
  return (
    <Chip tone={TONES[run.status]}>
      {run.status === "running" ? text.runningPart(run.progress) : text.runState[run.status]}
    </Chip>
  );
}
