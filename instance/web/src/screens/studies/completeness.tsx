import { isDemo } from "../../session";
import { text as common } from "../../text/en/common";
import { text } from "../../text/en/studies";
import type { MetadataSheet } from "./metadata";

/** How complete all samples are, and whether what is seen is stored. */
export function Completeness({ sheet }: { sheet: MetadataSheet }) {
  const impact = sheet.impact.value;
  const samples = impact?.samples ?? [];
  const asked = sheet.fields.value.filter(({ term }) => term?.required === true).length * samples.length;
  const missing = samples.reduce((sum, sample) => sum + sample.missing.length, 0);
  const wrong = samples.reduce((sum, sample) => sum + sample.wrong.length, 0);
  const complete = samples.filter((sample) => sample.missing.length + sample.wrong.length === 0).length;
  const words = [
    text.completeOf(complete, samples.length),
    text.missingAnswers(missing),
    wrong > 0 && text.wrongAnswers(wrong),
  ].filter(Boolean);
  return (
    <div class="spread study-complete">
      {impact?.accession != null && (
        <div class="line">
          <meter
            aria-label={text.completeness}
            min={0}
            max={Math.max(1, asked)}
            value={Math.max(0, asked - missing)}
          />
          <span role="status" aria-label={text.completeness}>
            {words.join(", ")}
          </span>
        </div>
      )}
      <SavedStatus sheet={sheet} />
    </div>
  );
}

function SavedStatus({ sheet }: { sheet: MetadataSheet }) {
  const { saving, savedAt } = sheet;
  const at = savedAt.value;
  return (
    <span class="muted" role="status" aria-label={text.saved}>
      {isDemo.value && common.notSavedInDemo}
      {saving.value === "saving" && text.saving}
      {(saving.value === "waiting" || saving.value === "failed") && text.keptHere}
      {saving.value === "partly" && text.notSaved(sheet.notSaved.value)}
      {saving.value === "saved" && at !== null && text.savedAt(at)}
    </span>
  );
}
