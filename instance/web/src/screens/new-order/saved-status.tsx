import { Button } from "../../parts/button";
import { isDemo } from "../../session";
import { text as common } from "../../text/en/common";
import { text } from "../../text/en/new-order";
import type { Draft } from "./draft";

/** A save of fewer rows is over before somebody has read how far it is. */
const MANY_ROWS = 100;

/** Whether what is seen is stored, beside the title. */
export function SavedStatus({ draft }: { draft: Draft }) {
  const progress = draft.sync.progress.value;
  const isLong = progress !== null && progress.all >= MANY_ROWS;
  const isStopped = draft.saving.value === "stopped";
  return (
    <span class="line">
      <span class="muted" role="status" aria-label={text.saved}>
        {isLong && !draft.isKeptNowhere.value
          ? text[progress.what](progress.done, progress.all)
          : wordsOf(draft)}
      </span>
      {isLong && (
        <>
          <progress
            class="saved-progress"
            aria-label={text.progress}
            max={progress.all}
            value={progress.done}
          />
          <Button look="quiet" onClick={() => draft.sync.stop()}>
            {text.stop}
          </Button>
        </>
      )}
      {isStopped && (
        <Button look="quiet" onClick={() => void draft.flush().catch(() => {})}>
          {text.goOn}
        </Button>
      )}
    </span>
  );
}

function wordsOf({ saving, savedAt, changedElsewhere, isKeptNowhere, samples }: Draft): string {
  if (isDemo.value) return common.notSavedInDemo;
  const at = savedAt.value;
  const other = changedElsewhere.value;
  const isOtherLast = other !== null && (at === null || other > at);
  switch (saving.value) {
    case "saving":
      return text.savingNow;
    case "stopped":
      return text.stopped(samples.dirty().length + samples.removed().length);
    case "waiting":
    case "failed":
      return isKeptNowhere.value ? text.keptNowhere : text.keptHere;
    case "untouched":
      return isOtherLast ? text.changedElsewhere(other) : "";
    case "saved":
      return isOtherLast ? text.changedElsewhere(other) : at === null ? "" : text.savedAt(at);
  }
}
