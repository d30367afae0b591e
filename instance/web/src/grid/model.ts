import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { reasonText } from "../text/en/grid";
import { writeTable } from "./clipboard";
import { continued, counts } from "./fill";
import { withFollowers } from "./follow";
import { hintsOf } from "./hints";
import { amended, begin, type History, record, redone, undone } from "./history";
import { duplicated, sorted, withoutRows } from "./order";
import { type ColumnGuess, guessesOf, type Pasting, pasted } from "./paste";
import { areaOf, at, clamped, type Selection, type Size, START } from "./selection";
import {
  type Area,
  blankRows,
  type Change,
  type Column,
  cellText,
  isBlank,
  type Place,
  type Row,
  type Rows,
  withChanges,
} from "./table";
import { cellFor, readingOf } from "./values";

/** What the server said of a row: its words by the key of a column. It holds while the row is unchanged. */
export interface Verdict {
  readonly row: Row;
  readonly problems: ReadonlyMap<string, string>;
}

/** Messages by the id of a row, then by the key of a column. */
export type Problems = ReadonlyMap<string, ReadonlyMap<string, string>>;

interface Paste {
  readonly plan: Pasting;
  readonly guesses: readonly ColumnGuess[];
  readonly before: Rows;
  /** Whether it changed anything: only then there is a step to take back. */
  readonly isStep: boolean;
  readonly shown: readonly number[];
  readonly selected: Area;
}

/** The state of one grid, and everything that may be done to it. */
export class GridModel {
  readonly columns: Signal<readonly Column[]>;
  readonly selection: Signal<Selection> = signal(START);
  readonly verdicts: Signal<ReadonlyMap<string, Verdict>> = signal(new Map());
  /** The ids of the rows that are shown; null shows all. */
  readonly filter: Signal<ReadonlySet<string> | null> = signal(null);
  /** The row to which the fill handle is being dragged. */
  readonly filling: Signal<number | null> = signal(null);
  /** The last paste, until somebody has read what became of it. */
  readonly paste: Signal<Paste | null> = signal(null);
  /** Whether it is the last step, so that its columns may still be changed. */
  readonly canRemap: Signal<boolean> = signal(false);
  readonly rows: ReadonlySignal<Rows>;
  readonly shown: ReadonlySignal<readonly number[]>;
  readonly problems: ReadonlySignal<Problems>;
  readonly filled: ReadonlySignal<number>;
  readonly canUndo: ReadonlySignal<boolean>;
  readonly canRedo: ReadonlySignal<boolean>;
  readonly language: string;
  readonly #history: Signal<History<Rows>>;

  constructor(columns: readonly Column[], rows: Rows, language: string) {
    this.columns = signal(columns);
    this.language = language;
    this.#history = signal(begin(rows));
    this.rows = computed(() => this.#history.value.now);
    this.shown = computed(() => shownRows(this.rows.value, this.filter.value));
    this.problems = computed(() => problemsOf(this.rows.value, this.columns.value, this.verdicts.value));
    this.filled = computed(() => this.rows.value.filter((row) => !isBlank(row)).length);
    this.canUndo = computed(() => this.#history.value.past.length > 0);
    this.canRedo = computed(() => this.#history.value.future.length > 0);
  }

  get size(): Size {
    return { rows: this.shown.value.length, columns: this.columns.value.length };
  }

  get area(): Area {
    return areaOf(this.selection.value);
  }

  textAt({ row, column }: Place): string {
    return cellText(this.rows.value, this.shown.value[row] ?? -1, column);
  }

  /** What the row at a place among those that are shown is called: its number among all rows, from 1. */
  numberAt(place: number): number {
    return (this.shown.value[place] ?? place) + 1;
  }

  select(selection: Selection): void {
    this.selection.value = clamped(selection, this.size);
  }

  /** Start anew with rows that somebody else wrote; there is no way back behind them. */
  load(rows: Rows): void {
    this.#history.value = begin(rows);
    this.filter.value = null;
    this.verdicts.value = new Map();
    this.paste.value = null;
    this.select(this.selection.value);
  }

  /** Exchange rows in every step of the history, as when the server has written a value differently. */
  amend(amend: (rows: Rows) => Rows): void {
    this.#history.value = amended(this.#history.value, amend);
  }

  type(place: Place, typed: string): void {
    const column = this.columns.value[place.column];
    if (column === undefined) return;
    this.#change([
      {
        ...place,
        text: cellFor(
          column,
          typed,
          readingOf(column, () => [typed], this.language),
        ),
      },
    ]);
  }

  /** Write texts as they are into cells of one row: a suggestion fills more than one. */
  choose(row: number, texts: ReadonlyMap<string, string>): void {
    this.#change(
      this.columns.value.flatMap(({ key }, column) => {
        const text = texts.get(key);
        return text === undefined ? [] : [{ row, column, text }];
      }),
    );
  }

  clear(): void {
    this.#change([...places(this.area)].map((place) => ({ ...place, text: "" })));
  }

  copied(): string {
    const { top, bottom, left, right } = this.area;
    const rows = this.shown.value.slice(top, bottom + 1).map((index) => this.rows.value[index]?.cells ?? []);
    return writeTable(rows.map((cells) => cells.slice(left, right + 1)));
  }

  pasteTable(plan: Pasting): void {
    this.#lay(plan, this.shown.value, this.area);
    const columns = plan.mapping.filter((target) => target !== null);
    const last = { row: plan.from.row + Math.max(1, plan.cells.length) - 1, column: Math.max(0, ...columns) };
    // The active end stays where the paste began, as in every spreadsheet.
    this.select({ anchor: last, focus: { row: plan.from.row, column: Math.min(...columns, last.column) } });
  }

  /** Lay the last paste anew, its columns into others. */
  remapPaste(mapping: Pasting["mapping"]): void {
    const paste = this.paste.value;
    if (paste === null) return;
    this.#layAgain({ ...paste.plan, mapping }, paste);
  }

  /** Lay the last paste anew, with a mark in the numbers of a column read as somebody says. */
  reread({ column, mark }: ColumnGuess, isThousands: boolean): void {
    const paste = this.paste.value;
    if (paste === null) return;
    const chosen = new Map(paste.plan.chosen);
    chosen.set(column.key, { ...chosen.get(column.key), [mark]: isThousands });
    this.#layAgain({ ...paste.plan, chosen }, paste);
  }

  #layAgain(plan: Pasting, { isStep, shown, selected }: Paste): void {
    if (isStep) this.undo();
    this.#lay(plan, shown, selected);
  }

  #lay(plan: Pasting, shown: readonly number[], selected: Area): void {
    const [before, columns, language] = [this.rows.value, this.columns.value, this.language];
    const after = pasted(before, columns, plan, language, shown, selected);
    const guesses = guessesOf(plan, columns, language, selected);
    this.#step(after);
    this.paste.value = { plan, guesses, before, isStep: after !== before, shown, selected };
    this.canRemap.value = true;
  }

  /** Copy the first row of the selection down; one row takes what stands above it. */
  fillDown(): void {
    const { top, bottom, left, right } = this.area;
    const source = top === bottom ? top - 1 : top;
    if (source < 0) return;
    this.#change(
      [...places({ top: source + 1, bottom, left, right })].map((place) => ({
        ...place,
        text: this.textAt({ row: source, column: place.column }),
      })),
    );
  }

  /** Continue the selection down to a row, as the fill handle does. */
  fillTo(last: number): void {
    const { top, bottom, left, right } = this.area;
    this.filling.value = null;
    if (last <= bottom) return;
    const changes: Change[] = [];
    for (let column = left; column <= right; column += 1) {
      const isCounted = counts(this.columns.value[column]);
      const given = Array.from({ length: bottom - top + 1 }, (_, offset) =>
        this.textAt({ row: top + offset, column }),
      );
      for (const [offset, text] of continued(given, last - bottom, isCounted).entries()) {
        changes.push({ row: bottom + 1 + offset, column, text });
      }
    }
    this.#change(changes);
    this.select({ anchor: { row: top, column: left }, focus: { row: last, column: right } });
  }

  /** Whether its rows come from elsewhere: none is added or taken away here. */
  get hasGivenRows(): boolean {
    return this.columns.value.some(({ isFixed }) => isFixed);
  }

  addRows(count: number): void {
    if (this.hasGivenRows) return;
    this.#step([...this.rows.value, ...blankRows(count, this.columns.value.length)]);
  }

  deleteRows(): void {
    if (this.hasGivenRows) return;
    const { top, bottom } = this.area;
    const left = withoutRows(this.rows.value, new Set(this.shown.value.slice(top, bottom + 1)));
    this.#step(left.length > 0 ? left : blankRows(1, this.columns.value.length));
    this.select(at({ row: top, column: this.selection.value.focus.column }));
  }

  duplicateRows(): void {
    if (this.hasGivenRows) return;
    const { top, bottom } = this.area;
    this.#step(duplicated(this.rows.value, this.shown.value.slice(top, bottom + 1)));
  }

  sort(descending: boolean): void {
    this.#step(sorted(this.rows.value, this.selection.value.focus.column, descending));
  }

  /** Change cells by their place in `rows`, not in what is shown. */
  replace(changes: readonly Change[]): void {
    this.take(withFollowers(this.rows.value, this.columns.value, changes));
  }

  /** Take texts as they are elsewhere, without what follows from an edit. */
  take(changes: readonly Change[]): void {
    this.#step(
      withChanges(
        this.rows.value,
        changes.filter(({ column }) => this.#isOpen(column)),
      ),
    );
  }

  /** Write one text into every selected cell whose column takes it. */
  fillWith(text: string, takes: (column: Column) => boolean): void {
    const columns = this.columns.value;
    const fitting = [...places(this.area)].filter(({ column }) => {
      const there = columns[column];
      return there !== undefined && takes(there);
    });
    this.#change(fitting.map((place) => ({ ...place, text })));
  }

  showOnly(rows: ReadonlySet<string> | null): void {
    this.filter.value = rows;
    this.select(START);
  }

  #isOpen(column: number): boolean {
    return this.columns.value[column]?.isFixed !== true;
  }

  undo(): void {
    this.#history.value = undone(this.#history.value);
    this.#settle();
  }

  redo(): void {
    this.#history.value = redone(this.#history.value);
    this.#settle();
  }

  #change(changes: readonly Change[]): void {
    const shown = this.shown.value;
    const inRows = changes.flatMap((change) => {
      const row = shown[change.row];
      return row === undefined ? [] : [{ ...change, row }];
    });
    this.replace(inRows);
  }

  #step(next: Rows): void {
    if (next === this.rows.value) return;
    const known = this.filter.value;
    if (known !== null) {
      const before = new Set(this.rows.value.map(({ id }) => id));
      this.filter.value = new Set([...known, ...next.map(({ id }) => id).filter((id) => !before.has(id))]);
    }
    this.#history.value = record(this.#history.value, next);
    this.#settle();
  }

  #settle(): void {
    this.canRemap.value = false;
    this.select(this.selection.value);
  }
}

function shownRows(rows: Rows, filter: ReadonlySet<string> | null): readonly number[] {
  const indices = rows.map((_, index) => index);
  return filter === null ? indices : indices.filter((index) => filter.has(rows[index]?.id ?? ""));
}

function problemsOf(
  rows: Rows,
  columns: readonly Column[],
  verdicts: ReadonlyMap<string, Verdict>,
): Problems {
  const problems = new Map<string, ReadonlyMap<string, string>>();
  const unique = new Set(columns.filter(({ isUnique }) => isUnique).map(({ key }) => key));
  const hints = hintsOf(rows, columns);
  for (const row of rows) {
    const verdict = verdicts.get(row.id);
    const isJudged = verdict !== undefined && verdict.row === row;
    const hinted = hints.get(row.id);
    if (hinted === undefined && !isJudged) continue;
    const messages = new Map<string, string>(isJudged ? verdict.problems : []);
    for (const [key, reason] of hinted ?? []) {
      if (!isJudged || (unique.has(key) && !messages.has(key))) messages.set(key, reasonText(reason));
    }
    if (messages.size > 0) problems.set(row.id, messages);
  }
  return problems;
}

function* places({ top, bottom, left, right }: Area): Iterable<Place> {
  for (let row = top; row <= bottom; row += 1) {
    for (let column = left; column <= right; column += 1) yield { row, column };
  }
}
