import { placesText, importText as text } from "../../../text/en/plans";
import { generalErrors, rowsOf } from "./import-rows";
import type { Check, Preview } from "./state";

/** What is about the whole plan, or about a run. */
export function General({ preview, check }: { preview: Preview; check: Check }) {
  const errors = generalErrors(preview);
  const dark = check.darkCycles.map(({ runId, lane, message }) =>
    text.ofRun(runId, placesText.dark(lane, message)),
  );
  if (errors.length + dark.length === 0) return null;
  return (
    <ul class="error-list">
      {[...errors, ...dark].map((words) => (
        <li key={words}>{words}</li>
      ))}
    </ul>
  );
}

/** Barcodes that several samples of a run would have, with their rows side by side. */
export function Duplicates({ preview }: { preview: Preview }) {
  if (preview.duplicateBarcodes.length === 0) return null;
  return (
    <section class="stack-tight" aria-label={text.duplicates}>
      <h3>{text.duplicates}</h3>
      <ul class="error-list">
        {preview.duplicateBarcodes.map(({ runId, barcode, count: times }) => {
          const rows = rowsOf(preview, runId, barcode);
          const named = rows.map((row) => `${text.rowNumber(row.rowNumber)} ${row.sampleCode ?? ""}`);
          return (
            <li key={`${runId} ${barcode}`}>
              <strong>{text.duplicate(barcode, runId)}</strong>:{" "}
              {[...named, ...(times > rows.length ? [text.storedToo] : [])].join(" · ")}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
