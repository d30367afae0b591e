import { type Signal, signal } from "@preact/signals";
import type { Problem } from "../../../api/problem";
import { asProblem } from "../../../api/resource";
import type { GridModel, Verdict } from "../../../grid/model";
import { isDemo } from "../../../session";
import { placesText as text } from "../../../text/en/plans";
import * as places from "./places";
import { type Check, checkPlan, type Run } from "./state";

const ASK_AFTER_MS = 400;

/** What the service says of the barcodes in a grid, asked while one types. */
export class Checking {
  readonly result: Signal<Check | null> = signal(null);
  readonly problem: Signal<Problem | null> = signal(null);
  readonly #run: Run;
  readonly #grid: GridModel;
  #words: ReadonlyMap<string, string> = new Map();
  #timer = 0;
  #running: AbortController | null = null;

  constructor(run: Run, grid: GridModel) {
    this.#run = run;
    this.#grid = grid;
  }

  /** What stands beside a row. */
  wordsOf(id: string): string {
    return this.#words.get(id) ?? "";
  }

  ask(): void {
    clearTimeout(this.#timer);
    // A visitor of the demonstration may not ask.
    if (isDemo.peek()) return;
    this.#timer = window.setTimeout(() => void this.#ask(), this.result.peek() === null ? 0 : ASK_AFTER_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#running?.abort();
  }

  async #ask(): Promise<void> {
    this.#running?.abort();
    const mine = new AbortController();
    this.#running = mine;
    const columns = this.#grid.columns.value;
    const placed = this.#grid.rows.value.filter((row) => places.isPlaced(places.textsOf(row, columns)));
    const rows = placed.map((row) => {
      const { sampleId, barcode = null, customFields = null } = places.bodyOf(row, columns, undefined);
      return { runId: this.#run.runId, sampleId, barcode, customFields };
    });
    try {
      const found = await checkPlan(this.#run.orderId, rows, true, mine.signal);
      if (mine.signal.aborted) return;
      this.#show(
        found,
        placed.map(({ id }) => id),
      );
      this.problem.value = null;
    } catch (error) {
      if (!mine.signal.aborted) this.problem.value = asProblem(error);
    }
  }

  #show(found: Check, ids: readonly string[]): void {
    const findings = new Map<string, { key: string; words: string }[]>();
    const add = (row: number | null, key: string, words: string): void => {
      const id = row === null ? undefined : ids[row];
      if (id !== undefined) findings.set(id, [...(findings.get(id) ?? []), { key, words }]);
    };
    for (const { row, field, message } of found.problems) add(row, field, message);
    for (const { samples, message } of found.pairs) {
      for (const [place, { row }] of samples.entries()) {
        const other = samples[1 - place];
        if (other) add(row, "barcode", text.near(other.sample, message));
      }
    }
    this.#words = new Map([...findings].map(([id, all]) => [id, all.map(({ words }) => words).join("; ")]));
    this.#grid.verdicts.value = this.#verdicts(findings);
    // The words beside the rows are drawn anew with the columns.
    this.#grid.columns.value = [...this.#grid.columns.value];
    this.result.value = found;
  }

  #verdicts(findings: ReadonlyMap<string, readonly { key: string; words: string }[]>): Map<string, Verdict> {
    const keys = new Set(this.#grid.columns.value.map(({ key }) => key));
    const rows = new Map(this.#grid.rows.value.map((row) => [row.id, row]));
    const verdicts = new Map<string, Verdict>();
    for (const [id, all] of findings) {
      const row = rows.get(id);
      if (row === undefined) continue;
      const problems = new Map<string, string>();
      for (const { key, words } of all) {
        const at = keys.has(key) ? key : "barcode";
        problems.set(at, problems.has(at) ? `${problems.get(at)}; ${words}` : words);
      }
      verdicts.set(id, { row, problems });
    }
    return verdicts;
  }
}
