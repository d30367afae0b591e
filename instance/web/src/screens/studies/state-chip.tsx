import { Chip } from "../../parts/chip";
import { text } from "../../text/en/studies";
import type { ListedStudy } from "./state";

export function StateChip({ study }: { study: Pick<ListedStudy, "submitted" | "readyForSubmission"> }) {
  if (study.submitted) return <Chip tone="ok">{text.submitted}</Chip>;
  return study.readyForSubmission ? <Chip tone="ok">{text.ready}</Chip> : <Chip>{text.open}</Chip>;
}
