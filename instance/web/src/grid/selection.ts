/** Which cells are selected, and where keys lead. */
import type { Area, Place } from "./table";

/** A range from `anchor`, where it began, to `focus`, the active end; one cell when both are the same. */
export interface Selection {
  readonly anchor: Place;
  readonly focus: Place;
}

export interface Size {
  readonly rows: number;
  readonly columns: number;
}

export interface Stroke {
  readonly key: string;
  readonly shift: boolean;
  readonly ctrl: boolean;
}

export const START: Selection = { anchor: { row: 0, column: 0 }, focus: { row: 0, column: 0 } };

export function at(place: Place): Selection {
  return { anchor: place, focus: place };
}

export function areaOf({ anchor, focus }: Selection): Area {
  return {
    top: Math.min(anchor.row, focus.row),
    bottom: Math.max(anchor.row, focus.row),
    left: Math.min(anchor.column, focus.column),
    right: Math.max(anchor.column, focus.column),
  };
}

export function isOneCell({ anchor, focus }: Selection): boolean {
  return anchor.row === focus.row && anchor.column === focus.column;
}

export function contains(area: Area, { row, column }: Place): boolean {
  return row >= area.top && row <= area.bottom && column >= area.left && column <= area.right;
}

export function clamped(selection: Selection, size: Size): Selection {
  return { anchor: clampedPlace(selection.anchor, size), focus: clampedPlace(selection.focus, size) };
}

function clampedPlace({ row, column }: Place, size: Size): Place {
  return { row: clamp(row, size.rows), column: clamp(column, size.columns) };
}

function clamp(value: number, count: number): number {
  return Math.max(0, Math.min(value, count - 1));
}

export function wholeRows(top: number, bottom: number, size: Size): Selection {
  return { anchor: { row: top, column: 0 }, focus: { row: bottom, column: size.columns - 1 } };
}

export function wholeColumn(column: number, size: Size): Selection {
  return { anchor: { row: 0, column }, focus: { row: size.rows - 1, column } };
}

export function everything(size: Size): Selection {
  return { anchor: { row: 0, column: 0 }, focus: { row: size.rows - 1, column: size.columns - 1 } };
}

/**
 * Return the selection after a key that moves, null for any other key.
 *
 * `Ctrl` with an arrow goes to the end of what is filled, as in every spreadsheet; `page` is the number of
 * rows that are seen at once.
 */
export function moved(
  selection: Selection,
  { key, shift, ctrl }: Stroke,
  size: Size,
  page: number,
  isFilled: (place: Place) => boolean,
): Selection | null {
  const { focus } = selection;
  const target = targetOf(key, ctrl, focus, size, page, isFilled);
  if (target === null) return null;
  const place = clampedPlace(target, size);
  return { anchor: shift ? selection.anchor : place, focus: place };
}

const STEPS: ReadonlyMap<string, Place> = new Map([
  ["ArrowUp", { row: -1, column: 0 }],
  ["ArrowDown", { row: 1, column: 0 }],
  ["ArrowLeft", { row: 0, column: -1 }],
  ["ArrowRight", { row: 0, column: 1 }],
]);

function targetOf(
  key: string,
  ctrl: boolean,
  focus: Place,
  size: Size,
  page: number,
  isFilled: (place: Place) => boolean,
): Place | null {
  const step = STEPS.get(key);
  if (step !== undefined) return ctrl ? edgeOfData(focus, step, size, isFilled) : sum(focus, step);
  switch (key) {
    case "Home":
      return { row: ctrl ? 0 : focus.row, column: 0 };
    case "End":
      return { row: ctrl ? size.rows - 1 : focus.row, column: size.columns - 1 };
    case "PageUp":
      return { row: focus.row - page, column: focus.column };
    case "PageDown":
      return { row: focus.row + page, column: focus.column };
    default:
      return null;
  }
}

function sum(one: Place, other: Place): Place {
  return { row: one.row + other.row, column: one.column + other.column };
}

function isInside({ row, column }: Place, size: Size): boolean {
  return row >= 0 && row < size.rows && column >= 0 && column < size.columns;
}

function edgeOfData(from: Place, step: Place, size: Size, isFilled: (place: Place) => boolean): Place {
  let place = from;
  let next = sum(place, step);
  const throughData = isFilled(from) && isInside(next, size) && isFilled(next);
  while (isInside(next, size)) {
    if (throughData && !isFilled(next)) return place;
    place = next;
    if (!throughData && isFilled(place)) return place;
    next = sum(place, step);
  }
  return place;
}

/** Return the cell after (or before) this one in reading order; null at the end of the grid. */
export function nextInReadingOrder({ row, column }: Place, size: Size, backwards: boolean): Place | null {
  const index = row * size.columns + column + (backwards ? -1 : 1);
  if (index < 0 || index >= size.rows * size.columns) return null;
  return { row: Math.floor(index / size.columns), column: index % size.columns };
}
