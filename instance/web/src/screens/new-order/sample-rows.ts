import { asProblem } from "../../api/resource";
import { GridModel, type Verdict } from "../../grid/model";
import { at } from "../../grid/selection";
import { blankRows, type Column, isBlank, newRowId, type Row, type Rows } from "../../grid/table";
import type { KeptDraft } from "./kept-draft";
import * as requests from "./requests";
import { bodyOf, columnOfProblem, columnsOf, type Form, rowOf, type Sample } from "./samples";
import { notUnderstood, type Words, wordsOf, wordsOfRefusal } from "./verdicts";

const FIRST_ROWS = 8;
/** Deletions under way at once. */
const AT_ONCE = 4;

/** The samples of an order as rows of a grid, and what of them the service does not have yet. */
export class SampleRows {
  readonly columns: readonly Column[];
  readonly grid: GridModel;
  readonly #form: Form;
  readonly #sampleIds = new Map<string, string>();
  readonly #stored = new Map<string, Row>();
  readonly #gone = new Set<string>();
  /** Cells that the server refused, by row: they stay here and are left out of what is saved. */
  readonly #refused = new Map<Row, ReadonlySet<string>>();
  #isUncertain = false;

  constructor(form: Form, samples: readonly Sample[]) {
    this.#form = form;
    this.columns = columnsOf(form);
    this.grid = new GridModel(this.columns, this.#rowsOf(samples), navigator.language);
  }

  /** Take samples as they were read anew. */
  load(samples: readonly Sample[]): void {
    this.#sampleIds.clear();
    this.#stored.clear();
    this.grid.load(this.#rowsOf(samples));
  }

  #rowsOf(samples: readonly Sample[]): Rows {
    const rows = samples.map((sample) => {
      const row = rowOf(sample, this.columns);
      this.#sampleIds.set(row.id, sample.id);
      this.#stored.set(row.id, row);
      return row;
    });
    return [...rows, ...blankRows(Math.max(0, FIRST_ROWS - rows.length), this.columns.length)];
  }

  // What is not saved.

  /** Rows that were changed. */
  dirty(): Row[] {
    return this.grid.rows.value.filter((row) => !isBlank(row) && this.#stored.get(row.id) !== row);
  }

  /** Rows that had a sample and are deleted or empty now, with its id. */
  removed(): [string, string][] {
    const there = new Set(this.grid.rows.value.filter((row) => !isBlank(row)).map(({ id }) => id));
    return [...this.#sampleIds].filter(([rowId]) => !there.has(rowId));
  }

  get hasUnsaved(): boolean {
    return this.#gone.size + this.#refused.size + this.dirty().length + this.removed().length > 0;
  }

  /** Forget refusals of rows that have changed since. */
  forgetRefusals(): void {
    for (const row of this.#refused.keys())
      if (!this.grid.rows.value.includes(row)) this.#refused.delete(row);
  }

  unsaved(): Pick<KeptDraft, "columns" | "rows" | "gone"> {
    const unsaved = new Set([...this.dirty(), ...this.#refused.keys()]);
    return {
      columns: this.columns.map(({ key }) => key),
      rows: this.grid.rows.value
        .filter((row) => unsaved.has(row))
        .map((row) => ({ sampleId: this.#sampleIds.get(row.id) ?? null, cells: row.cells })),
      gone: [...this.#gone, ...this.removed().map(([, sampleId]) => sampleId)],
    };
  }

  restore({ columns, rows, gone }: Pick<KeptDraft, "columns" | "rows" | "gone">): void {
    for (const sampleId of gone) this.#gone.add(sampleId);
    const rowOfSample = new Map([...this.#sampleIds].map(([rowId, sampleId]) => [sampleId, rowId]));
    const next = this.grid.rows.value.filter((row) => !this.#gone.has(this.#sampleIds.get(row.id) ?? ""));
    for (const { sampleId, cells } of rows) {
      const texts = this.columns.map(({ key }) => cells[columns.indexOf(key)] ?? "");
      const id = rowOfSample.get(sampleId ?? "");
      const index = next.findIndex((row) => row.id === id || (id === undefined && isBlank(row)));
      const row = { id: id ?? newRowId(), cells: texts };
      if (index === -1) next.push(row);
      else next[index] = row;
    }
    this.grid.load(next);
  }

  // Places.

  /** Make the place of a problem the active cell. */
  goTo({ sampleId, field }: requests.CheckProblem): void {
    const row = this.grid.rows.value.find(({ id }) => this.#sampleIds.get(id) === sampleId);
    const key = columnOfProblem(field ?? "", this.#form);
    const column = this.columns.findIndex((one) => one.key === key);
    if (row === undefined) return;
    this.grid.filter.value = null;
    this.grid.select(at({ row: this.grid.rows.value.indexOf(row), column: Math.max(0, column) }));
  }

  /** Return the row of a problem as people count, from 1. */
  rowNumber(sampleId: string): number | null {
    const index = this.grid.rows.value.findIndex(({ id }) => this.#sampleIds.get(id) === sampleId);
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

  // The server's verdict.

  /** Rows of which the server has not said what it thinks. */
  unjudged(): Row[] {
    const verdicts = this.grid.verdicts.value;
    const isJudged = (row: Row): boolean => verdicts.get(row.id)?.row === row;
    // WHY: two rows with one name are each other's problem: correcting one is news about the other.
    const unique = this.columns.filter(({ isUnique }) => isUnique);
    const paired = this.grid.rows.value.filter(
      (row) => isJudged(row) && unique.some(({ key }) => verdicts.get(row.id)?.problems.has(key)),
    );
    return [...this.dirty().filter((row) => !isJudged(row)), ...paired];
  }

  async judge(orderId: string, rows: readonly Row[]): Promise<void> {
    // WHY: a table with a text where a number belongs is refused as a whole; those cells are known already.
    const bodies = rows.map((row) =>
      bodyOf(
        row,
        this.columns,
        this.#sampleIds.get(row.id),
        new Set(notUnderstood(row, this.columns).keys()),
      ),
    );
    try {
      this.#show(this.#words(await requests.judgeRows(orderId, bodies), rows));
    } catch (problem) {
      this.#takeRefusal(problem, rows);
    }
  }

  /** Put what a check found into the cells. */
  take(problems: readonly requests.CheckProblem[]): void {
    const rows = this.grid.rows.value.filter((row) => this.#sampleIds.has(row.id));
    this.#show(this.#words(problems, rows));
  }

  #words(problems: readonly requests.CheckProblem[], rows: readonly Row[]): Words {
    return wordsOf(problems, rows, (row) => this.#sampleIds.get(row.id), this.columns, this.#form);
  }

  #show(words: Words): void {
    const verdicts = [...words].map(([row, problems]): [string, Verdict] => [row.id, { row, problems }]);
    this.grid.verdicts.value = new Map([...this.grid.verdicts.value, ...verdicts]);
  }

  #takeRefusal(problem: unknown, rows: readonly Row[]): void {
    const words = wordsOfRefusal(asProblem(problem), rows);
    for (const [row, messages] of words) this.#refused.set(row, new Set(messages.keys()));
    this.#show(words);
  }

  // Saving.

  /** Save rows that were changed, and which checklists belong to them; null leaves these as they are. */
  async save(orderId: string, checklists: readonly string[] | null): Promise<void> {
    if (this.#isUncertain) await this.#adopt(orderId);
    const rows = this.dirty();
    if (rows.length === 0 && checklists === null) return;
    let ids: readonly (string | null)[];
    try {
      ids = await this.#send(orderId, rows, checklists);
    } catch (problem) {
      this.#isUncertain = asProblem(problem).status === 0;
      this.#takeRefusal(problem, rows);
      ids = await this.#send(orderId, rows, checklists);
    }
    for (const [index, row] of rows.entries()) {
      const id = ids[index];
      if (typeof id === "string") this.#sampleIds.set(row.id, id);
      this.#stored.set(row.id, row);
    }
  }

  #send(orderId: string, rows: readonly Row[], checklists: readonly string[] | null) {
    const bodies = rows.map((row) => {
      const without = new Set([
        ...(this.#refused.get(row) ?? []),
        ...notUnderstood(row, this.columns).keys(),
      ]);
      if (without.size > 0) this.#refused.set(row, without);
      return bodyOf(row, this.columns, this.#sampleIds.get(row.id), without);
    });
    return requests.saveRows(orderId, bodies, checklists);
  }

  /** An answer was lost on its way: rows that were stored all the same are found by what they hold. */
  async #adopt(orderId: string): Promise<void> {
    const known = new Set(this.#sampleIds.values());
    const { samples } = await requests.readSamples(orderId);
    const made = samples.filter(({ id }) => !known.has(id));
    for (const row of this.dirty().filter(({ id }) => !this.#sampleIds.has(id))) {
      const cells = JSON.stringify(row.cells);
      const index = made.findIndex((sample) => JSON.stringify(rowOf(sample, this.columns).cells) === cells);
      const [sample] = index === -1 ? [] : made.splice(index, 1);
      if (sample !== undefined) this.#sampleIds.set(row.id, sample.id);
    }
    this.#isUncertain = false;
  }

  /** Delete the samples of rows that are gone. */
  async deleteRemoved(): Promise<void> {
    for (const [rowId, sampleId] of this.removed()) {
      this.#gone.add(sampleId);
      this.#sampleIds.delete(rowId);
      this.#stored.delete(rowId);
    }
    const waiting = [...this.#gone];
    while (waiting.length > 0) {
      const some = waiting.splice(0, AT_ONCE);
      await Promise.all(some.map((sampleId) => requests.deleteSample(sampleId)));
      for (const sampleId of some) this.#gone.delete(sampleId);
    }
  }
}
