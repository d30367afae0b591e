/** What each key does in a grid that is not being edited. */
import type { GridModel } from "./model";
import { at, everything, isOneCell, moved, nextInReadingOrder, wholeColumn, wholeRows } from "./selection";

export interface KeyActions {
  /** Rows that are seen at once. */
  page(): number;
  /** Open the active cell: with its text, or empty for a character that is on its way. */
  edit(withText: boolean): void;
  openFind(): void;
}

/** Do what a key stands for; false leaves it to the browser. */
export function pressed(event: KeyboardEvent, model: GridModel, actions: KeyActions): boolean {
  const { key, shiftKey: shift, altKey: alt } = event;
  const ctrl = event.ctrlKey || event.metaKey;
  if (alt) return pressedWithAlt(key, shift, model, actions);
  if (ctrl && pressedWithCtrl(key.toLowerCase(), shift, model, actions)) return true;
  const selection = moved(
    model.selection.value,
    { key, shift, ctrl },
    model.size,
    actions.page(),
    (place) => model.textAt(place) !== "",
  );
  if (selection !== null) {
    model.select(selection);
    return true;
  }
  if (ctrl) return false;
  switch (key) {
    case "Enter":
    case "F2":
      actions.edit(true);
      return true;
    case "Delete":
    case "Backspace":
      model.clear();
      return true;
    case " ":
      return pressedSpace(shift, model, actions);
    case "Escape":
      model.select(at(model.selection.value.focus));
      return !isOneCell(model.selection.value);
    default:
      if ([...key].length !== 1 && key !== "Process") return false;
      actions.edit(false);
      // The character itself goes to the editor, which has the focus by now.
      return false;
  }
}

function pressedSpace(shift: boolean, model: GridModel, actions: KeyActions): boolean {
  const { focus } = model.selection.value;
  if (shift) model.select(wholeRows(focus.row, focus.row, model.size));
  else if (model.columns.value[focus.column]?.kind === "checkbox") {
    model.type(focus, model.textAt(focus) === "yes" ? "no" : "yes");
  } else actions.edit(true);
  return true;
}

function pressedWithCtrl(key: string, shift: boolean, model: GridModel, actions: KeyActions): boolean {
  switch (key) {
    case "a":
      model.select(everything(model.size));
      return true;
    case "z":
      if (shift) model.redo();
      else model.undo();
      return true;
    case "y":
      model.redo();
      return true;
    case "d":
      model.fillDown();
      return true;
    case "f":
    case "h":
      actions.openFind();
      return true;
    case " ":
      model.select(wholeColumn(model.selection.value.focus.column, model.size));
      return true;
    default:
      return false;
  }
}

function pressedWithAlt(key: string, shift: boolean, model: GridModel, actions: KeyActions): boolean {
  if (key === "ArrowDown" && shift) model.duplicateRows();
  else if (key === "ArrowDown") actions.edit(true);
  else if (key === "Delete" || key === "Backspace") model.deleteRows();
  else return false;
  return true;
}

/** Go on after an edit: down with Enter, to the side with Tab; at the end of the grid a row is added. */
export function goOn(
  model: GridModel,
  key: "Enter" | "Tab",
  backwards: boolean,
  tabbedFrom: number | null,
): void {
  const { row, column } = model.selection.value.focus;
  if (key === "Tab") {
    const next = nextInReadingOrder({ row, column }, model.size, backwards);
    if (next === null && !backwards) addRow(model);
    model.select(at(next ?? (backwards ? { row, column } : { row: row + 1, column: 0 })));
    return;
  }
  if (!backwards && row === model.size.rows - 1) addRow(model);
  model.select(at({ row: row + (backwards ? -1 : 1), column: tabbedFrom ?? column }));
}

function addRow(model: GridModel): void {
  if (model.filter.value === null) model.addRows(1);
}
