import { type Signal, signal } from "@preact/signals";
import type { Problem } from "../../api/problem";
import { asProblem } from "../../api/resource";
import type { Verdict } from "../../grid/model";
import type { Row } from "../../grid/table";
import * as requests from "./requests";
import type { SampleRows } from "./sample-rows";
import { bodyOf } from "./samples";
import { notUnderstood, type Words, wordsOf, wordsOfRefusal } from "./verdicts";

/** Rows of one request: a table of 5,000 is saved in a handful of them, which can be told and stopped between. */
const PART = 1000;
/** Deletions under way at once. */
const AT_ONCE = 4;
/** A part that others change again and again meanwhile is left for later. */
const MOST_TRIES = 3;

export interface Progress {
  readonly what: "saving" | "deleting";
  readonly done: number;
  readonly all: number;
}

/** Whether a refusal says that somebody else changed or deleted a row meanwhile. */
function isMoved({ status, details }: Problem): boolean {
  return (
    status === 409 || (status === 400 && details.some(({ path }) => /^samples\[\d+\]\.id$/.test(path ?? "")))
  );
}

/** Carries rows to the service: what it thinks of them, saving and deleting. */
export class RowSync {
  readonly progress: Signal<Progress | null> = signal(null);
  readonly #rows: SampleRows;
  /** An answer was lost: new rows may be stored already. */
  isUncertain = false;
  /** Cells were sent that the form in force has no column for. */
  hasUnaskedCells = false;
  #isStopped = false;

  constructor(rows: SampleRows) {
    this.#rows = rows;
  }

  /** Stop after what is under way. What is left stays unsaved. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Read what is stored now, and merge it with what is here. */
  async catchUp(orderId: string): Promise<requests.StoredSamples> {
    const stored = await requests.readSamples(orderId);
    this.#rows.merge(stored.samples, this.isUncertain);
    this.isUncertain = false;
    return stored;
  }

  // The service's verdict.

  /** Rows of which the service has not said what it thinks. */
  unjudged(): Row[] {
    const { grid, columns } = this.#rows;
    const verdicts = grid.verdicts.value;
    const isJudged = (row: Row): boolean => verdicts.get(row.id)?.row === row;
    // WHY: two rows with one name are each other's problem: correcting one is news about the other.
    const unique = columns.filter(({ isUnique }) => isUnique);
    const paired = grid.rows.value.filter(
      (row) => isJudged(row) && unique.some(({ key }) => verdicts.get(row.id)?.problems.has(key)),
    );
    return [...this.#rows.changed().filter((row) => !isJudged(row)), ...paired];
  }

  async judge(orderId: string, rows: readonly Row[]): Promise<void> {
    const { columns } = this.#rows;
    // WHY: a table with a text where a number belongs is refused as a whole; those cells are known already.
    const bodies = rows.map((row) => {
      const without = notUnderstood(row, columns);
      return bodyOf(row, columns, this.#rows.baseOf(row), (key) => !without.has(key));
    });
    try {
      this.#show(this.#words(await requests.judgeRows(orderId, bodies), rows));
    } catch (error) {
      const problem = asProblem(error);
      if (isMoved(problem)) await this.catchUp(orderId);
      else this.#takeRefusal(problem, rows);
    }
  }

  /** Put what a check found into the cells of `rows`, as they were when it began. */
  take(problems: readonly requests.CheckProblem[], rows: readonly Row[]): void {
    const stored = rows.filter((row) => this.#rows.baseOf(row) !== undefined);
    this.#show(this.#words(problems, stored));
  }

  #words(problems: readonly requests.CheckProblem[], rows: readonly Row[]): Words {
    const { columns, form } = this.#rows;
    return wordsOf(problems, rows, (row) => this.#rows.baseOf(row)?.sampleId, columns, form);
  }

  #show(words: Words): void {
    const { grid } = this.#rows;
    const verdicts = [...words].map(([row, problems]): [string, Verdict] => [row.id, { row, problems }]);
    grid.verdicts.value = new Map([...grid.verdicts.value, ...verdicts]);
  }

  #takeRefusal(problem: Problem, rows: readonly Row[]): void {
    const words = wordsOfRefusal(problem, rows);
    for (const [row, messages] of words) this.#rows.noteRefused(row, messages.keys());
    this.#show(words);
  }

  // Saving.

  /** Save what can be saved; answers whether all of it was, or somebody stopped it. */
  async save(orderId: string, checklists: readonly string[] | null): Promise<boolean> {
    this.#isStopped = false;
    if (this.isUncertain) await this.catchUp(orderId);
    if (checklists !== null) await requests.saveRows(orderId, [], checklists);
    try {
      return (await this.#saveRows(orderId)) && (await this.#deleteSamples());
    } finally {
      this.progress.value = null;
    }
  }

  async #saveRows(orderId: string): Promise<boolean> {
    const dirty = this.#rows.dirty().map(({ id }) => id);
    for (let done = 0; done < dirty.length; done += PART) {
      this.progress.value = { what: "saving", done, all: dirty.length };
      if (this.#isStopped) return false;
      await this.#savePart(orderId, new Set(dirty.slice(done, done + PART)));
    }
    return true;
  }

  async #savePart(orderId: string, ids: ReadonlySet<string>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      // WHY each time anew: what was refused or merged meanwhile is not what it was.
      const rows = this.#rows.dirty().filter(({ id }) => ids.has(id));
      if (rows.length === 0) return;
      try {
        return await this.#send(orderId, rows);
      } catch (error) {
        const problem = asProblem(error);
        if (tries === MOST_TRIES) throw problem;
        if (isMoved(problem)) await this.catchUp(orderId);
        else this.#takeRefusal(problem, rows);
      }
    }
  }

  async #send(orderId: string, rows: readonly Row[]): Promise<void> {
    const { columns } = this.#rows;
    const sent = rows.map((row) => ({ row, keys: this.#rows.open(row) }));
    const bodies = sent.map(({ row, keys }) =>
      bodyOf(row, columns, this.#rows.baseOf(row), (key) => keys.has(key)),
    );
    // WHY before it is known: a page that goes away now learns no answer.
    this.isUncertain = rows.some((row) => this.#rows.baseOf(row) === undefined);
    try {
      const { ids, updatedAt, isPartly } = await requests.saveRows(orderId, bodies, null);
      this.hasUnaskedCells ||= isPartly;
      for (const [index, { row, keys }] of sent.entries()) {
        const [id, time] = [ids[index], updatedAt[index]];
        if (typeof id === "string" && time !== undefined) this.#rows.noteSaved(row, id, time, keys);
      }
      this.isUncertain = false;
    } catch (error) {
      this.isUncertain &&= asProblem(error).status === 0;
      throw error;
    }
  }

  async #deleteSamples(): Promise<boolean> {
    const waiting = this.#rows.letGo();
    for (let done = 0; done < waiting.length; done += AT_ONCE) {
      this.progress.value = { what: "deleting", done, all: waiting.length };
      if (this.#isStopped) return false;
      const some = waiting.slice(done, done + AT_ONCE);
      await Promise.all(some.map((sampleId) => requests.deleteSample(sampleId)));
      for (const sampleId of some) this.#rows.noteDeleted(sampleId);
    }
    return true;
  }
}
