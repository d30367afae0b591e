import { useEffect, useRef } from "preact/hooks";
import type { Choice, Suggest } from "../../../grid/choices";
import { Sheet } from "../../../grid/sheet";
import { Button } from "../../../parts/button";
import { ProblemNotice } from "../../../parts/problem";
import { demoRefusal } from "../../../session";
import { placesText as text } from "../../../text/en/plans";
import { Findings } from "./findings";
import { PlacesDisputes } from "./places-disputes";
import type { PlacesSheet } from "./places-sheet";
import type { Run } from "./state";

interface Props {
  sheet: PlacesSheet;
  run: Run;
  onSaved: () => Promise<void>;
}

const MOST_OFFERED = 50;

/** The grid in which samples get their barcodes, and what is wrong with these. */
export function PlacesGrid({ sheet, run, onSaved }: Props) {
  useEffect(() => () => sheet.close(), [sheet]);
  const seen = useRef(run.updatedAt);
  useEffect(() => {
    // Somebody has saved the run: its places, or what is known of it, and so what its barcodes are compared with.
    if (seen.current === run.updatedAt) return;
    seen.current = run.updatedAt;
    void sheet.refresh().catch(() => undefined);
    sheet.checking.ask();
  }, [sheet, run.updatedAt]);
  const changed = new Set(sheet.changes.value.map(({ id }) => id)).size;
  const isUndecided = sheet.disputes.value.length > 0;
  const problem = sheet.problem.value;
  const save = async (): Promise<void> => {
    if (await sheet.save()) await onSaved();
  };
  return (
    <div class="stack">
      <PlacesDisputes sheet={sheet} />
      {problem && <ProblemNotice problem={problem} />}
      <Sheet
        label={text.grid(run.runId)}
        model={sheet.grid}
        suggest={suggestFor(sheet)}
        isReadOnly={demoRefusal.value !== null}
      />
      <div class="spread">
        <p role="status" class="muted">
          {changed > 0 ? text.unsaved(changed) : sheet.isSaved.value && text.saved}
        </p>
        <div class="line">
          {changed > 0 && <Button onClick={() => sheet.discard()}>{text.discard}</Button>}
          <Button
            look="main"
            isBusy={sheet.isSaving.value}
            refusal={
              demoRefusal.value ??
              (changed === 0 ? text.nothingToSave : null) ??
              (isUndecided ? text.decideFirst : null)
            }
            onClick={() => void save()}
          >
            {text.save}
          </Button>
        </div>
      </div>
      <Findings checking={sheet.checking} />
    </div>
  );
}

/** The barcodes of the kit's set that no other sample has, by their names in the kit and as they are stored. */
const suggestFor =
  (sheet: PlacesSheet): Suggest =>
  (column, typed) => {
    if (column.key !== "barcode" || sheet.set === null) return Promise.resolve([]);
    const place = sheet.grid.columns.value.findIndex(({ key }) => key === "barcode");
    const taken = new Set(sheet.grid.rows.value.map(({ cells }) => cells[place]));
    const wanted = typed.trim().toLowerCase();
    const found = sheet.set.barcodes.filter(
      ({ name, barcode }) =>
        !taken.has(barcode) && (barcode.includes(wanted) || name.toLowerCase().includes(wanted)),
    );
    const offered: Choice[] = found.slice(0, MOST_OFFERED).map(({ name, barcode, sequence }) => ({
      label: barcode,
      detail: [name.toLowerCase() === barcode ? "" : name, sequence ?? ""].filter(Boolean).join(" "),
      texts: new Map([["barcode", barcode]]),
    }));
    return Promise.resolve(offered);
  };
