import { type Signal, signal } from "@preact/signals";
import { GridModel } from "../../grid/model";
import { at } from "../../grid/selection";
import { blankRows, type Column, isBlank, newRowId, type Row } from "../../grid/table";
import type { KeptRows } from "./kept-draft";
import {
  type Base,
  type CellConflict,
  contentOf,
  isOtherwise,
  mergedCells,
  mergedTable,
  withMerge,
} from "./merge";
import type { CheckProblem } from "./requests";
import { columnOfProblem, columnsOf, type Form, rowOf, type Sample } from "./samples";
import { notUnderstood } from "./verdicts";

const FIRST_ROWS = 8;

/** The samples of an order as rows of a grid, and what of them the service does not have yet. */
export class SampleRows {
  readonly form: Form;
  readonly columns: readonly Column[];
  readonly grid: GridModel;
  readonly conflicts: Signal<readonly CellConflict[]> = signal([]);
  /** What is stored of each row that has a sample. */
  #bases = new Map<string, Base>();
  /** Samples whose rows are gone, and which are not deleted yet. */
  readonly #gone = new Set<string>();
  /** Cells that the service refused, by row: they stay here and are left out of what is saved. */
  readonly #refused = new Map<Row, ReadonlySet<string>>();

  constructor(form: Form, samples: readonly Sample[]) {
    this.form = form;
    this.columns = columnsOf(form);
    const rows = this.#stored(samples).map(({ row, base }) => {
      this.#bases.set(row.id, base);
      return row;
    });
    const blank = blankRows(Math.max(0, FIRST_ROWS - rows.length), this.columns.length);
    this.grid = new GridModel(this.columns, [...rows, ...blank], navigator.language);
  }

  #stored(samples: readonly Sample[]): { row: Row; base: Base }[] {
    return samples.map((sample) => {
      const row = rowOf(sample, this.columns);
      return { row, base: { sampleId: sample.id, updatedAt: sample.updatedAt, cells: row.cells } };
    });
  }

  baseOf(row: Row): Base | undefined {
    return this.#bases.get(row.id);
  }

  // What is not saved.

  /** Rows that are otherwise than stored. */
  changed(): Row[] {
    return this.grid.rows.value.filter((row) => {
      return !isBlank(row) && isOtherwise(row.cells, this.#bases.get(row.id)?.cells);
    });
  }

  /** Rows of which something can be saved. */
  dirty(): Row[] {
    return this.changed().filter((row) =>
      this.#bases.has(row.id) ? this.open(row).size > 0 : !this.#held(row).has(null),
    );
  }

  /** The columns of a row that are to be saved: changed ones, without what is no value, refused or disputed. */
  open(row: Row): Set<string> {
    const base = this.#bases.get(row.id)?.cells;
    const changed = this.columns.filter((_, index) => base?.[index] !== row.cells[index]);
    const without = new Set([...notUnderstood(row, this.columns).keys(), ...(this.#refused.get(row) ?? [])]);
    const held = this.#held(row);
    return new Set(changed.map(({ key }) => key).filter((key) => !without.has(key) && !held.has(key)));
  }

  #held({ id }: Row): Set<string | null> {
    return new Set(this.conflicts.value.filter(({ rowId }) => rowId === id).map(({ key }) => key));
  }

  /** Samples whose rows are deleted or empty now. */
  removed(): string[] {
    const there = new Set(this.grid.rows.value.filter((row) => !isBlank(row)).map(({ id }) => id));
    const rows = [...this.#bases].filter(([rowId]) => !there.has(rowId));
    return [...this.#gone, ...rows.map(([, { sampleId }]) => sampleId)];
  }

  get hasUnsaved(): boolean {
    return this.changed().length + this.removed().length > 0;
  }

  // What the service answered.

  noteSaved(row: Row, sampleId: string, updatedAt: string, keys: ReadonlySet<string>): void {
    const before = this.#bases.get(row.id)?.cells;
    const cells = this.columns.map(
      ({ key }, index) => (keys.has(key) ? row.cells[index] : before?.[index]) ?? "",
    );
    const isWhole = cells.every((cell, index) => cell === row.cells[index]);
    this.#bases.set(row.id, { sampleId, updatedAt, cells: isWhole ? row.cells : cells });
  }

  noteRefused(row: Row, keys: Iterable<string>): void {
    this.#refused.set(row, new Set([...(this.#refused.get(row) ?? []), ...keys]));
  }

  /** Rows that are gone are not theirs any more: their samples wait for being deleted. */
  letGo(): string[] {
    const waiting = this.removed();
    for (const sampleId of waiting) this.#gone.add(sampleId);
    for (const [rowId, { sampleId }] of this.#bases) if (this.#gone.has(sampleId)) this.#bases.delete(rowId);
    return waiting;
  }

  noteDeleted(sampleId: string): void {
    this.#gone.delete(sampleId);
  }

  /** Forget refusals of rows that have changed since, and disputes that are none any more. */
  settle(): void {
    const rows = new Map(this.grid.rows.value.map((row) => [row.id, row]));
    for (const row of this.#refused.keys()) if (rows.get(row.id) !== row) this.#refused.delete(row);
    const left = this.conflicts.value.filter(({ rowId, key, theirs }) => {
      const row = rows.get(rowId);
      return row !== undefined && !isBlank(row) && (key === null || this.#textIn(row, key) !== theirs);
    });
    if (left.length < this.conflicts.value.length) this.conflicts.value = left;
  }

  /** Merge what is stored now with what is here. With `isUncertain`, new rows may be stored already. */
  merge(samples: readonly Sample[], isUncertain: boolean): void {
    if (isUncertain) this.#adopt(samples);
    const rows = this.grid.rows.value;
    const merge = mergedTable(this.columns, rows, this.#bases, this.#stored(samples), this.#gone);
    this.#bases = new Map(merge.bases);
    if (merge.taken.size + merge.added.length + merge.removed.size > 0)
      this.grid.amend((step) => withMerge(step, rows, merge));
    this.#dispute(merge.conflicts);
  }

  #dispute(found: readonly CellConflict[]): void {
    const isFound = (one: CellConflict): boolean =>
      found.some(({ rowId, key }) => rowId === one.rowId && key === one.key);
    this.conflicts.value = [...this.conflicts.value.filter((one) => !isFound(one)), ...found];
    this.settle();
  }

  /** An answer was lost on its way: rows that were stored all the same are found by what they hold. */
  #adopt(samples: readonly Sample[]): void {
    const known = new Set([...this.#bases.values()].map(({ sampleId }) => sampleId));
    const made = new Map(
      this.#stored(samples)
        .filter(({ base }) => !known.has(base.sampleId))
        .map(({ base }) => [contentOf(base.cells, this.columns), base]),
    );
    for (const row of this.changed().filter(({ id }) => !this.#bases.has(id))) {
      const content = contentOf(row.cells, this.columns);
      const base = made.get(content);
      if (base === undefined) continue;
      made.delete(content);
      this.#bases.set(row.id, { ...base, cells: row.cells });
    }
  }

  // Disputes.

  keepMine(conflict: CellConflict): void {
    this.conflicts.value = this.conflicts.value.filter((one) => one !== conflict);
  }

  takeTheirs(conflict: CellConflict): void {
    const index = this.grid.rows.value.findIndex(({ id }) => id === conflict.rowId);
    const columns = this.columns.map((column, place) => ({ ...column, place }));
    const changed = columns.filter(({ key }) => conflict.key === null || key === conflict.key);
    this.grid.take(changed.map(({ place }) => ({ row: index, column: place, text: conflict.theirs })));
    this.keepMine(conflict);
  }

  mineOf({ rowId, key }: CellConflict): string {
    const row = this.grid.rows.value.find(({ id }) => id === rowId);
    return row === undefined || key === null ? "" : this.#textIn(row, key);
  }

  #textIn(row: Row, key: string): string {
    return row.cells[this.columns.findIndex((column) => column.key === key)] ?? "";
  }

  // Keeping.

  unsaved(): KeptRows {
    return {
      columns: this.columns.map(({ key }) => key),
      rows: this.changed().map((row) => ({
        base: this.#bases.get(row.id) ?? null,
        cells: row.cells,
        disputed: [...this.#held(row)],
      })),
      gone: this.removed(),
    };
  }

  /**
   * Lay rows that were kept over what is stored, which others may have changed since. With `isUncertain`, new
   * rows are left out that are stored already.
   */
  restore({ columns, rows, gone }: KeptRows, isUncertain: boolean): void {
    const texts = (cells: readonly string[]): string[] =>
      this.columns.map(({ key }) => cells[columns.indexOf(key)] ?? "");
    const rowOfSample = new Map([...this.#bases].map(([rowId, { sampleId }]) => [sampleId, rowId]));
    for (const sampleId of gone) if (rowOfSample.has(sampleId)) this.#gone.add(sampleId);
    const next = this.grid.rows.value.filter(
      ({ id }) => !this.#gone.has(this.#bases.get(id)?.sampleId ?? ""),
    );
    const found: CellConflict[] = [];
    const contents = new Set(next.map((row) => contentOf(row.cells, this.columns)));
    for (const { base, cells, disputed } of rows) {
      if (isUncertain && base === null && contents.has(contentOf(texts(cells), this.columns))) continue;
      const id = rowOfSample.get(base?.sampleId ?? "");
      const now = this.#bases.get(id ?? "");
      const index = next.findIndex((row) => (id === undefined ? isBlank(row) : row.id === id));
      const row = { id: id ?? newRowId(), cells: texts(cells) };
      if (now === undefined && (base !== null || disputed.includes(null)))
        found.push({ rowId: row.id, key: null, theirs: "", at: null });
      if (base !== null && now !== undefined) {
        const merged = mergedCells(this.columns, texts(base.cells), row.cells, now.cells);
        row.cells = merged.cells;
        for (const [place, { key }] of this.columns.entries()) {
          if (!merged.conflicts.includes(place) && !disputed.includes(key)) continue;
          const [theirs, at] = [now.cells[place] ?? "", new Date(now.updatedAt)];
          found.push({ rowId: row.id, key, theirs, at });
        }
      }
      if (index === -1) next.push(row);
      else next[index] = row;
    }
    this.letGo();
    this.grid.load(next);
    this.#dispute(found);
  }

  // Places.

  /** Make the place of a problem the active cell. */
  goTo({ sampleId, field }: CheckProblem): void {
    const key = columnOfProblem(field ?? "", this.form);
    const column = this.columns.findIndex((one) => one.key === key);
    const row = this.rowNumber(sampleId ?? "");
    if (row === null) return;
    this.grid.filter.value = null;
    this.grid.select(at({ row: row - 1, column: Math.max(0, column) }));
  }

  /** Return the row of a sample as people count, from 1. */
  rowNumber(sampleId: string): number | null {
    const index = this.grid.rows.value.findIndex((row) => this.#bases.get(row.id)?.sampleId === sampleId);
    return index === -1 ? null : index + 1;
  }

  /** Cells whose text could not be sent, such as a word where a number belongs: the server does not know of them. */
  notSent(): { row: number; column: number; message: string }[] {
    return this.grid.rows.value.flatMap((row, index) =>
      [...notUnderstood(row, this.columns)].map(([key, message]) => ({
        row: index,
        column: this.columns.findIndex((one) => one.key === key),
        message,
      })),
    );
  }
}
