import { Chip } from "../../parts/chip";
import { text } from "../../text/en/studies";
import type { ListedStudy } from "./state";

type State = Pick<ListedStudy, "submitted" | "readyForSubmission">;

export function stateOf({ submitted, readyForSubmission }: State): string {
  if (submitted) return text.submitted;
  return readyForSubmission ? text.ready : text.open;
}

export function StateChip({ study }: { study: State }) {
  const isDone = study.submitted || study.readyForSubmission;
  return <Chip tone={isDone ? "ok" : "calm"}>{stateOf(study)}</Chip>;
}
