import "../style/parts/grid.css";
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Button } from "../parts/button";
import { FilterChip } from "../parts/chip";
import { Menu } from "../parts/menu";
import { text } from "../text/en/grid";
import type { Suggest } from "./choices";
import { FindBar } from "./find-bar";
import { Grid } from "./grid";
import type { GridModel } from "./model";
import { SeriesDialog } from "./series-dialog";
import { PasteStrip } from "./strip";

interface Props {
  label: string;
  model: GridModel;
  suggest?: Suggest | undefined;
  isReadOnly?: boolean | undefined;
  /** The rows that somebody has still to look at, instead of those with a problem. */
  unfinished?: { readonly label: string; readonly rows: ReadonlySet<string> } | undefined;
  /** Further buttons, at the end of the bar. */
  children?: ComponentChildren;
}

/** A grid with its bar: what may be done, what became of a paste, and what is wrong in the active cell. */
export function Sheet({ label, model, suggest, isReadOnly, unfinished, children }: Props) {
  const isFinding = useSignal(false);
  const isSeries = useSignal(false);
  const problems = model.problems.value;
  const filter = unfinished ?? { label: text.onlyProblems(problems.size), rows: new Set(problems.keys()) };
  const isFiltered = model.filter.value !== null;
  const changing = {
    items: [
      { label: text.duplicate, onChoose: () => model.duplicateRows() },
      { label: text.remove, onChoose: () => model.deleteRows() },
    ],
  };
  const sorting = {
    items: [
      { label: text.sortUp, onChoose: () => model.sort(false) },
      { label: text.sortDown, onChoose: () => model.sort(true) },
    ],
  };
  return (
    <div class="sheet">
      <div class="grid-tools" role="toolbar" aria-label={text.tools(label)}>
        <Button
          look="quiet"
          icon="back"
          refusal={model.canUndo.value ? null : text.nothingToUndo}
          onClick={() => model.undo()}
        >
          {text.undo}
        </Button>
        <Button
          look="quiet"
          icon="next"
          refusal={model.canRedo.value ? null : text.nothingToRedo}
          onClick={() => model.redo()}
        >
          {text.redo}
        </Button>
        <Button look="quiet" onClick={() => model.fillDown()}>
          {text.fillDown}
        </Button>
        <Button look="quiet" onClick={() => (isSeries.value = true)}>
          {text.series}
        </Button>
        <Menu label={text.rowsMenu} groups={model.hasGivenRows ? [sorting] : [changing, sorting]}>
          {text.rowsMenu}
        </Menu>
        <Button look="quiet" isPressed={isFinding.value} onClick={() => (isFinding.value = !isFinding.value)}>
          {text.find}
        </Button>
        {(filter.rows.size > 0 || isFiltered) && (
          <FilterChip isOn={isFiltered} onToggle={() => model.showOnly(isFiltered ? null : filter.rows)}>
            {filter.label}
          </FilterChip>
        )}
        {children}
      </div>
      {isFinding.value && <FindBar model={model} onClose={() => (isFinding.value = false)} />}
      {isSeries.value && <SeriesDialog model={model} onClose={() => (isSeries.value = false)} />}
      <PasteStrip model={model} />
      <Grid
        label={label}
        model={model}
        suggest={suggest}
        isReadOnly={isReadOnly}
        onFind={() => (isFinding.value = true)}
      >
        <SheetFoot model={model} />
      </Grid>
    </div>
  );
}

function SheetFoot({ model }: { model: GridModel }) {
  const { row, column } = model.selection.value.focus;
  const there = model.rows.value[model.shown.value[row] ?? -1];
  const name = model.columns.value[column];
  const problem = name && there ? model.problems.value.get(there.id)?.get(name.key) : undefined;
  const { top, bottom, left, right } = model.area;
  const isRange = bottom > top || right > left;
  return (
    <div class="grid-foot">
      <span>{text.samples(model.filled.value)}</span>
      {isRange && <span class="muted">{text.selected(bottom - top + 1, right - left + 1)}</span>}
      {problem !== undefined && name !== undefined && (
        <span class="grid-problem">
          {text.place(model.numberAt(row), name.label)}: {problem}
        </span>
      )}
      {!model.hasGivenRows && (
        <Button look="quiet" icon="add" onClick={() => model.addRows(10)}>
          {text.addRows}
        </Button>
      )}
    </div>
  );
}
