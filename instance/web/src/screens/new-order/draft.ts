import { effect, type Signal, signal } from "@preact/signals";
import { type Kept, kept } from "../../api/kept";
import { Problem } from "../../api/problem";
import { asProblem } from "../../api/resource";
import { reasonFor } from "../../grid/hints";
import { GridModel, type Verdict } from "../../grid/model";
import { at } from "../../grid/selection";
import { blankRows, type Column, isBlank, newRowId, type Row, type Rows } from "../../grid/table";
import { reasonText } from "../../text/en/grid";
import { text } from "../../text/en/new-order";
import { type Answers, answersOf, bodyOfAnswers, defaultsOf, type Order } from "./answers";
import { isKeptDraft, type KeptDraft } from "./kept-draft";
import * as requests from "./requests";
import { bodyOf, columnOfProblem, columnsOf, type Form, rowOf, type Sample } from "./samples";

const JUDGE_AFTER_MS = 400;
const SAVE_AFTER_MS = 1500;
const KEEP_AFTER_MS = 250;
const FIRST_ROWS = 8;
/** What is wrong with a cell that is no value at all. */
const TYPES: ReadonlySet<string> = new Set(["number", "date", "flag"]);
/** Deletions under way at once. */
const AT_ONCE = 4;

export type Saving = "untouched" | "waiting" | "saving" | "saved" | "failed";

/** An answer that somebody else has changed as well. */
export interface Conflict {
  readonly key: string;
  readonly theirs: unknown;
}

interface Opened {
  readonly form: Form;
  readonly technologies: readonly requests.Technology[];
  readonly order: Order | null;
  readonly stored: requests.StoredSamples;
}

/**
 * An order that is being written. It saves itself; what is not saved yet is kept in the browser, so that
 * neither a reload nor a lost connection loses it.
 */
export class Draft {
  readonly form: Form;
  readonly technologies: readonly requests.Technology[];
  readonly columns: readonly Column[];
  readonly grid: GridModel;
  readonly order: Signal<Order | null>;
  readonly answers: Signal<Answers>;
  readonly checklists: Signal<readonly string[]>;
  readonly saving: Signal<Saving> = signal("untouched");
  readonly savedAt: Signal<Date | null> = signal(null);
  readonly changedElsewhere: Signal<Date | null> = signal(null);
  readonly problem: Signal<Problem | null> = signal(null);
  readonly conflicts: Signal<readonly Conflict[]> = signal([]);
  readonly check: Signal<requests.Check | null> = signal(null);
  readonly #person: string;
  readonly #onNumber: (orderNumber: string) => void;
  readonly #changed = new Set<string>();
  readonly #sampleIds = new Map<string, string>();
  readonly #stored = new Map<string, Row>();
  readonly #gone = new Set<string>();
  /** Cells that the server refused, by row: they stay here and are left out of what is saved. */
  readonly #refused = new Map<Row, ReadonlySet<string>>();
  #checklistsChanged = false;
  #isUncertain = false;
  #isLeaving = false;
  #work: Promise<void> = Promise.resolve();
  #judgeTimer = 0;
  #saveTimer = 0;
  #keepTimer = 0;
  #channel: BroadcastChannel | null = null;
  readonly #stop = new AbortController();
  readonly #unsubscribe: () => void;

  constructor(opened: Opened, person: string, onNumber: (orderNumber: string) => void) {
    this.form = opened.form;
    this.technologies = opened.technologies;
    this.columns = columnsOf(opened.form);
    this.order = signal(opened.order);
    this.answers = signal(
      opened.order === null ? defaultsOf(opened.form) : answersOf(opened.order, opened.form),
    );
    this.checklists = signal(opened.stored.checklists);
    this.grid = new GridModel(this.columns, this.#rowsOf(opened.stored.samples), navigator.language);
    this.#person = person;
    this.#onNumber = onNumber;
    this.#restore();
    this.#listen();
    let isFirst = true;
    this.#unsubscribe = effect(() => {
      const rows = this.grid.rows.value;
      if (!isFirst && this.#dirtyRows(rows).length + this.#goneRows(rows).length > 0) this.#touched();
      isFirst = false;
    });
    if (this.#hasUnsaved()) this.#touched();
  }

  get isDraft(): boolean {
    return (this.order.value?.status ?? "DRAFT") === "DRAFT";
  }

  answer(key: string, value: unknown): void {
    this.answers.value = { ...this.answers.value, [key]: value };
    this.#changed.add(key);
    this.conflicts.value = this.conflicts.value.filter((conflict) => conflict.key !== key);
    this.#touched();
  }

  chooseChecklist(accession: string): void {
    this.checklists.value = accession === "" ? [] : [accession];
    this.#checklistsChanged = true;
    this.#touched();
  }

  /** Save now, and wait until it is done. Raises `Problem`. */
  async flush(): Promise<void> {
    clearTimeout(this.#saveTimer);
    clearTimeout(this.#judgeTimer);
    this.#enqueue(() => this.#save());
    await this.#work;
    if (this.problem.value !== null) throw this.problem.value;
  }

  /** Make the order that is not there yet, and return its id. */
  async begin(): Promise<string> {
    return (this.order.value ?? (await this.#saveOrder())).id;
  }

  async runCheck(): Promise<void> {
    await this.flush();
    const check = await requests.checkOrder(await this.begin());
    this.check.value = check;
    this.#take(
      check.problems,
      this.grid.rows.value.filter((row) => this.#sampleIds.has(row.id)),
    );
  }

  /** Cells whose text could not be sent, such as a word where a number belongs: the server does not know of them. */
  notSent(): { row: number; column: number; message: string }[] {
    return this.grid.rows.value.flatMap((row, index) =>
      [...this.#notUnderstood(row)].map(([key, message]) => ({
        row: index,
        column: this.columns.findIndex((one) => one.key === key),
        message,
      })),
    );
  }

  async submit(): Promise<Order> {
    await this.flush();
    if (this.notSent().length > 0) {
      await this.runCheck();
      throw new Problem(text.correctFirst, 400);
    }
    try {
      return await requests.submitOrder(await this.begin());
    } catch (problem) {
      if (asProblem(problem).status === 400) await this.runCheck();
      throw problem;
    }
  }

  /** Read everything again, and lay what is not saved over it. */
  async reload(): Promise<void> {
    const before = this.order.value;
    if (before === null) return;
    const [order, stored] = await Promise.all([
      requests.readOrder(before.id),
      requests.readSamples(before.id),
    ]);
    this.#keep();
    this.order.value = order;
    this.answers.value = answersOf(order, this.form);
    this.checklists.value = stored.checklists;
    this.#sampleIds.clear();
    this.#stored.clear();
    this.grid.load(this.#rowsOf(stored.samples));
    this.#restore();
  }

  /** Return the place of a problem in the grid, and make it the active cell. */
  goTo({ sampleId, field }: requests.CheckProblem): void {
    const row = this.grid.rows.value.find(({ id }) => this.#sampleIds.get(id) === sampleId);
    const key = columnOfProblem(field ?? "", this.form);
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

  close(): void {
    this.#stop.abort();
    this.#unsubscribe();
    this.#channel?.close();
    clearTimeout(this.#judgeTimer);
    if (this.#hasUnsaved()) {
      this.#keep();
      void this.flush().catch(() => {});
    }
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

  // Keeping in the browser.

  get #kept(): Kept<KeptDraft> {
    return kept(this.#person, `order:${this.order.value?.id ?? "new"}`, isKeptDraft);
  }

  #keep(): void {
    clearTimeout(this.#keepTimer);
    this.#keepTimer = 0;
    if (!this.#hasUnsaved()) {
      this.#kept.forget();
      return;
    }
    const rows = this.grid.rows.value;
    const unsaved = new Set([...this.#dirtyRows(rows), ...this.#refused.keys()]);
    const answers = Object.fromEntries(
      [...this.#changed].map((key) => [key, this.answers.value[key] ?? null]),
    );
    this.#kept.write({
      answers,
      columns: this.columns.map(({ key }) => key),
      rows: rows
        .filter((row) => unsaved.has(row))
        .map((row) => ({ sampleId: this.#sampleIds.get(row.id) ?? null, cells: row.cells })),
      gone: [...this.#gone, ...this.#goneRows(rows).map(([, sampleId]) => sampleId)],
      checklists: this.#checklistsChanged ? this.checklists.value : null,
    });
  }

  #restore(): void {
    const found = this.#kept.read();
    if (found === null || !this.isDraft) return;
    const { answers, columns, rows, gone, checklists } = found.value;
    this.answers.value = { ...this.answers.value, ...answers };
    for (const key of Object.keys(answers)) this.#changed.add(key);
    if (checklists !== null) {
      this.checklists.value = checklists;
      this.#checklistsChanged = true;
    }
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

  // What is not saved.

  #dirtyRows(rows: Rows): Row[] {
    return rows.filter((row) => !isBlank(row) && this.#stored.get(row.id) !== row);
  }

  /** Rows that had a sample and are deleted or empty now, with its id. */
  #goneRows(rows: Rows): [string, string][] {
    const there = new Set(rows.filter((row) => !isBlank(row)).map(({ id }) => id));
    return [...this.#sampleIds].filter(([rowId]) => !there.has(rowId));
  }

  #hasUnsaved(): boolean {
    const rows = this.grid.rows.value;
    const waiting = this.#changed.size + this.#gone.size + this.#refused.size + this.#dirtyRows(rows).length;
    return this.isDraft && (waiting > 0 || this.#checklistsChanged || this.#goneRows(rows).length > 0);
  }

  #touched(): void {
    if (!this.isDraft) return;
    this.saving.value = "waiting";
    this.check.value = null;
    for (const row of this.#refused.keys())
      if (!this.grid.rows.value.includes(row)) this.#refused.delete(row);
    // WHY: what an open cell gives when the page goes away has no later moment.
    if (this.#isLeaving) this.#keep();
    this.#keepTimer ||= window.setTimeout(() => this.#keep(), KEEP_AFTER_MS);
    clearTimeout(this.#judgeTimer);
    clearTimeout(this.#saveTimer);
    this.#judgeTimer = window.setTimeout(() => this.#enqueue(() => this.#judge()), JUDGE_AFTER_MS);
    this.#saveTimer = window.setTimeout(() => this.#enqueue(() => this.#save()), SAVE_AFTER_MS);
  }

  /** One thing at a time: two saves of new rows at once would make them twice. */
  #enqueue(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((problem) => {
      this.problem.value = asProblem(problem);
      this.saving.value = "failed";
    });
  }

  // The server's verdict.

  async #judge(): Promise<void> {
    const verdicts = this.grid.verdicts.value;
    const isJudged = (row: Row): boolean => verdicts.get(row.id)?.row === row;
    const unjudged = this.#dirtyRows(this.grid.rows.value).filter((row) => !isJudged(row));
    // WHY: two rows with one name are each other's problem: correcting one is news about the other.
    const unique = this.columns.filter(({ isUnique }) => isUnique);
    const paired = this.grid.rows.value.filter(
      (row) => isJudged(row) && unique.some(({ key }) => verdicts.get(row.id)?.problems.has(key)),
    );
    const rows = [...unjudged, ...paired];
    if (rows.length === 0) return;
    const order = this.order.value ?? (await this.#saveOrder());
    // WHY: a table with a text where a number belongs is refused as a whole; those cells are known already.
    const bodies = rows.map((row) =>
      bodyOf(row, this.columns, this.#sampleIds.get(row.id), new Set(this.#notUnderstood(row).keys())),
    );
    try {
      this.#take(await requests.judgeRows(order.id, bodies), rows);
    } catch (problem) {
      this.#takeRefusal(asProblem(problem), rows);
    }
  }

  /** Put problems into the cells of `rows`, which are those that the server was asked about. */
  #take(problems: readonly requests.CheckProblem[], rows: readonly Row[]): void {
    const bySample = new Map(rows.map((row) => [this.#sampleIds.get(row.id), row]));
    const found = new Map(rows.map((row) => [row, this.#notUnderstood(row)]));
    for (const { sampleId, row: number, field, message } of problems) {
      const row = sampleId !== null ? bySample.get(sampleId) : rows[(number ?? 0) - 1];
      if (row !== undefined && field !== null)
        found.get(row)?.set(columnOfProblem(field, this.form), message);
    }
    const verdicts: [string, Verdict][] = [...found].map(([row, messages]) => [
      row.id,
      { row, problems: messages },
    ]);
    this.grid.verdicts.value = new Map([...this.grid.verdicts.value, ...verdicts]);
  }

  /** Take a refusal of rows into their cells; raises it when none of it has a cell. */
  #takeRefusal(problem: Problem, rows: readonly Row[]): void {
    const found = new Map<Row, Map<string, string>>();
    for (const { path, reason } of problem.details) {
      const [, index, name] = /^samples\[(\d+)\]\.(?:customFields\.)?(.+)$/.exec(path ?? "") ?? [];
      const row = rows[Number(index)];
      if (row === undefined || name === undefined) continue;
      const messages = found.get(row) ?? new Map<string, string>();
      found.set(row, messages.set(name, reason));
    }
    if (problem.status !== 400 || found.size === 0) throw problem;
    for (const [row, messages] of found) this.#refused.set(row, new Set(messages.keys()));
    const verdicts: [string, Verdict][] = [...found].map(([row, messages]) => [
      row.id,
      { row, problems: messages },
    ]);
    this.grid.verdicts.value = new Map([...this.grid.verdicts.value, ...verdicts]);
  }

  // Saving.

  async #save(): Promise<void> {
    if (!this.isDraft || !this.#hasUnsaved()) return;
    this.saving.value = "saving";
    this.problem.value = null;
    const order =
      this.order.value === null || this.#changed.size > 0 ? await this.#saveOrder() : this.order.value;
    await this.#saveSamples(order.id);
    await this.#deleteSamples();
    this.savedAt.value = new Date();
    this.saving.value =
      this.#dirtyRows(this.grid.rows.value).length > 0 || this.#changed.size > 0 ? "waiting" : "saved";
    this.#keep();
    this.#channel?.postMessage("saved");
  }

  async #saveOrder(): Promise<Order> {
    const sent = new Map([...this.#changed].map((key) => [key, this.answers.value[key]]));
    const before = this.order.value;
    let saved: Order;
    if (before === null) {
      const body = bodyOfAnswers(this.form, this.answers.value, new Set(Object.keys(this.answers.value)));
      const keptAsNew = this.#kept;
      saved = await requests.createOrder(body);
      this.order.value = saved;
      keptAsNew.forget();
      this.#listen();
      this.#onNumber(saved.orderNumber);
    } else {
      const body = bodyOfAnswers(this.form, this.answers.value, new Set(sent.keys()));
      try {
        saved = await requests.saveOrder(before.id, { ...body, baseUpdatedAt: before.updatedAt });
      } catch (problem) {
        if (asProblem(problem).status !== 409) throw problem;
        saved = await requests.saveOrder(before.id, {
          ...body,
          baseUpdatedAt: await this.#lookAgain(before),
        });
      }
      this.order.value = saved;
    }
    for (const [key, value] of sent) if (this.answers.value[key] === value) this.#changed.delete(key);
    return saved;
  }

  /** Somebody else saved meanwhile: take what only they changed, and tell of what both did. */
  async #lookAgain(before: Order): Promise<string> {
    const now = await requests.readOrder(before.id);
    const [old, theirs] = [answersOf(before, this.form), answersOf(now, this.form)];
    const changed = Object.keys(theirs).filter(
      (key) => JSON.stringify(theirs[key]) !== JSON.stringify(old[key]),
    );
    const free = changed.filter((key) => !this.#changed.has(key)).map((key) => [key, theirs[key]]);
    this.answers.value = { ...this.answers.value, ...Object.fromEntries(free) };
    this.conflicts.value = changed
      .filter(
        (key) =>
          this.#changed.has(key) && JSON.stringify(theirs[key]) !== JSON.stringify(this.answers.value[key]),
      )
      .map((key) => ({ key, theirs: theirs[key] }));
    this.order.value = now;
    return now.updatedAt;
  }

  async #saveSamples(orderId: string): Promise<void> {
    if (this.#isUncertain) await this.#adopt(orderId);
    const rows = this.#dirtyRows(this.grid.rows.value);
    const checklists = this.#checklistsChanged ? this.checklists.value : null;
    if (rows.length === 0 && checklists === null) return;
    let ids: readonly (string | null)[];
    try {
      ids = await this.#sendRows(orderId, rows, checklists);
    } catch (problem) {
      this.#isUncertain = asProblem(problem).status === 0;
      this.#takeRefusal(asProblem(problem), rows);
      ids = await this.#sendRows(orderId, rows, checklists);
    }
    for (const [index, row] of rows.entries()) {
      const id = ids[index];
      if (typeof id === "string") this.#sampleIds.set(row.id, id);
      this.#stored.set(row.id, row);
    }
    this.#checklistsChanged = false;
  }

  #sendRows(orderId: string, rows: readonly Row[], checklists: readonly string[] | null) {
    const bodies = rows.map((row) => {
      const without = new Set([...(this.#refused.get(row) ?? []), ...this.#notUnderstood(row).keys()]);
      if (without.size > 0) this.#refused.set(row, without);
      return bodyOf(row, this.columns, this.#sampleIds.get(row.id), without);
    });
    return requests.saveRows(orderId, bodies, checklists);
  }

  /** Cells that are no value of their column's type, with the reason: no table that has them is stored. */
  #notUnderstood(row: Row): Map<string, string> {
    const found = new Map<string, string>();
    for (const [index, column] of this.columns.entries()) {
      const reason = reasonFor(column, row.cells[index] ?? "");
      if (reason !== null && TYPES.has(reason.kind)) found.set(column.key, reasonText(reason));
    }
    return found;
  }

  /** An answer was lost on its way: rows that were stored all the same are found by what they hold. */
  async #adopt(orderId: string): Promise<void> {
    const known = new Set(this.#sampleIds.values());
    const { samples } = await requests.readSamples(orderId);
    const made = samples.filter(({ id }) => !known.has(id));
    for (const row of this.#dirtyRows(this.grid.rows.value).filter(({ id }) => !this.#sampleIds.has(id))) {
      const cells = JSON.stringify(row.cells);
      const index = made.findIndex((sample) => JSON.stringify(rowOf(sample, this.columns).cells) === cells);
      const [sample] = index === -1 ? [] : made.splice(index, 1);
      if (sample !== undefined) this.#sampleIds.set(row.id, sample.id);
    }
    this.#isUncertain = false;
  }

  async #deleteSamples(): Promise<void> {
    for (const [rowId, sampleId] of this.#goneRows(this.grid.rows.value)) {
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

  // Other tabs, and the end of this one.

  #listen(): void {
    const id = this.order.value?.id;
    if (id !== undefined) {
      this.#channel?.close();
      this.#channel = new BroadcastChannel(`seqfacility:order:${id}`);
      this.#channel.onmessage = () => {
        this.changedElsewhere.value = new Date();
        this.#enqueue(() => this.reload());
      };
    }
    const leave = (isLeaving: boolean): void => {
      this.#isLeaving = isLeaving;
      this.#keep();
    };
    addEventListener("pagehide", () => leave(true), { signal: this.#stop.signal });
    addEventListener("pageshow", () => leave(false), { signal: this.#stop.signal });
  }
}

/** Open a draft: a new one, or that of an address, which names its number or its id. */
export async function openDraft(
  address: string | null,
  person: string,
  onNumber: (orderNumber: string) => void,
  stop: AbortSignal,
): Promise<Draft> {
  const readStored = async (): Promise<Pick<Opened, "order" | "stored">> => {
    if (address === null) return { order: null, stored: { samples: [], checklists: [] } };
    const order = await requests.readOrder(address, stop);
    return { order, stored: await requests.readSamples(order.id, stop) };
  };
  const [form, technologies, { order, stored }] = await Promise.all([
    requests.readForm(stop),
    requests.readTechnologies(stop),
    readStored(),
  ]);
  return new Draft({ form, technologies, order, stored }, person, onNumber);
}
