import { useSignal } from "@preact/signals";
import { Button } from "../parts/button";
import { Dialog } from "../parts/dialog";
import { TextField } from "../parts/field";
import { text } from "../text/en/grid";
import { seriesBetween } from "./fill";
import type { GridModel } from "./model";
import { planPaste } from "./paste";
import { at } from "./selection";

/** Fills the active column from the active cell down: lake-1 to lake-96. */
export function SeriesDialog({ model, onClose }: { model: GridModel; onClose: () => void }) {
  const place = model.selection.value.focus;
  const first = useSignal(model.textAt(place));
  const last = useSignal("");
  const values = seriesBetween(first.value.trim(), last.value.trim());
  const fill = (event: Event): void => {
    event.preventDefault();
    if (values === null) return;
    model.select(at(place));
    model.pasteTable(
      planPaste(
        values.map((value) => [value]),
        model.columns.value,
        place,
      ),
    );
    onClose();
  };
  return (
    <Dialog
      title={text.seriesTitle}
      onClose={onClose}
      actions={
        <Button
          look="main"
          type="submit"
          form="grid-series"
          refusal={values === null ? text.seriesUnclear : null}
        >
          {text.seriesFill(values?.length ?? 0)}
        </Button>
      }
    >
      <form id="grid-series" class="stack" onSubmit={fill}>
        <TextField
          name="series-first"
          label={text.seriesFirst}
          value={first.value}
          onInput={(value) => (first.value = value)}
        />
        <TextField
          name="series-last"
          label={text.seriesLast}
          help={text.seriesHelp}
          value={last.value}
          onInput={(value) => (last.value = value)}
        />
      </form>
    </Dialog>
  );
}
