import { text } from "../../text/en/new-order";
import type { Draft } from "./draft";

/** Whether what is seen is stored, beside the title. */
export function SavedStatus({ draft }: { draft: Draft }) {
  const { savedAt, saving, changedElsewhere } = draft;
  const at = savedAt.value;
  const other = changedElsewhere.value;
  const isOtherLast = other !== null && (at === null || other > at);
  return (
    <span class="muted" role="status" aria-label={text.saved}>
      {saving.value === "saving" && text.saving}
      {(saving.value === "waiting" || saving.value === "failed") && text.keptHere}
      {saving.value === "saved" && !isOtherLast && at !== null && text.savedAt(at)}
      {(saving.value === "saved" || saving.value === "untouched") &&
        isOtherLast &&
        text.changedElsewhere(other)}
    </span>
  );
}
