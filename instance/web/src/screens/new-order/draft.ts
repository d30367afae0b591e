import { effect, type Signal, signal } from "@preact/signals";
import { KeptByTab } from "../../api/kept-by-tab";
import { Problem } from "../../api/problem";
import { asProblem } from "../../api/resource";
import { saveBeforeLeaving } from "../../api/unsaved";
import type { GridModel } from "../../grid/model";
import type { Column } from "../../grid/table";
import type { Technology } from "../../questions/platforms";
import { type FormNews, type SetAside, withMore } from "../../questions/set-aside";
import { isDemo } from "../../session";
import { text } from "../../text/en/new-order";
import { text as questions } from "../../text/en/questions";
import type { Answers, Order } from "./answers";
import { Autosave } from "./autosave";
import { labelsOf, orderNews } from "./form-news";
import { fitted, isKeptDraft, type KeptDraft, recordOf } from "./kept-draft";
import type { Opened } from "./open";
import { OrderAnswers } from "./order-answers";
import * as requests from "./requests";
import { RowSync } from "./row-sync";
import { SampleRows } from "./sample-rows";
import type { Form } from "./samples";

const KEEP_AFTER_MS = 250;

export type Saving = "untouched" | "waiting" | "saving" | "stopped" | "saved" | "failed";

/**
 * An order that is being written. It saves itself; what is not saved yet is kept in the browser, so that
 * neither a reload nor a lost connection loses it.
 */
export class Draft {
  readonly form: Form;
  readonly technologies: readonly Technology[];
  readonly answered: OrderAnswers;
  readonly samples: SampleRows;
  readonly sync: RowSync;
  readonly checklists: Signal<readonly string[]>;
  readonly saving: Signal<Saving> = signal("untouched");
  readonly savedAt: Signal<Date | null> = signal(null);
  readonly changedElsewhere: Signal<Date | null> = signal(null);
  readonly problem: Signal<Problem | null> = signal(null);
  readonly check: Signal<requests.Check | null> = signal(null);
  /** Whether the browser can't keep what is not saved. */
  readonly isKeptNowhere: Signal<boolean> = signal(false);
  /** What the form has become since the page was opened. */
  readonly formNews: Signal<FormNews | null> = signal(null);
  /** What was written for questions that are no longer asked. */
  readonly setAside: Signal<readonly SetAside[]> = signal([]);
  readonly #opened: Opened;
  /** The same draft by a form that came later. */
  #next: Draft | null = null;
  #hasOtherForm = false;
  #isClosing = false;
  #store: KeptByTab<KeptDraft>;
  #checklistsChanged = false;
  /** How often something was written. */
  #touches = 0;
  #isLeaving = false;
  #keepTimer = 0;
  readonly #autosave = new Autosave({
    judge: () => this.#judge(),
    save: () => this.#save(),
    failed: (problem) => {
      this.problem.value = problem;
      this.saving.value = "failed";
      this.#keep();
    },
  });
  #channel: BroadcastChannel | null = null;
  readonly #stop = new AbortController();
  readonly #unsubscribe: (() => void)[] = [];

  constructor(opened: Opened) {
    this.form = opened.form;
    this.technologies = opened.technologies;
    this.answered = new OrderAnswers(opened.form, opened.order);
    this.samples = new SampleRows(opened.form, opened.stored.samples);
    this.sync = new RowSync(this.samples);
    this.checklists = signal(opened.stored.checklists);
    this.#opened = opened;
    this.#store = opened.store;
    if (this.isDraft) for (const kept of opened.kept.toReversed()) this.#restore(kept);
    this.#listen();
    let isFirst = true;
    this.#unsubscribe.push(
      effect(() => {
        const isTouched = this.samples.hasUnsaved || this.samples.dirty().length > 0;
        if (isTouched && !isFirst) this.#touched();
        isFirst = false;
      }),
      saveBeforeLeaving(() => this.flush()),
    );
    if (opened.kept.length > 0) this.#keep();
    if (this.#hasUnsaved()) this.#touched();
  }

  get order(): Signal<Order | null> {
    return this.answered.order;
  }

  get answers(): Signal<Answers> {
    return this.answered.values;
  }

  get grid(): GridModel {
    return this.samples.grid;
  }

  get columns(): readonly Column[] {
    return this.samples.columns;
  }

  get isDraft(): boolean {
    return (this.order.value?.status ?? "DRAFT") === "DRAFT";
  }

  answer(key: string, value: unknown): void {
    this.answered.set(key, value);
    this.#touched();
  }

  chooseChecklist(accession: string): void {
    this.checklists.value = accession === "" ? [] : [accession];
    this.#checklistsChanged = true;
    this.#touched();
  }

  /** A dispute was decided: what is mine now is saved. */
  settled(): void {
    this.#touched();
  }

  /** Save now, and wait until it is done. Raises `Problem`. */
  async flush(): Promise<void> {
    if (isDemo.value) return;
    await this.#autosave.now();
    if (this.problem.value !== null) throw this.problem.value;
  }

  /** Make the order that is not there yet, and return its id. */
  async begin(): Promise<string> {
    return (this.order.value ?? (await this.#saveOrder())).id;
  }

  async runCheck(): Promise<void> {
    await this.flush();
    if (this.#next !== null) return this.#next.runCheck();
    const id = await this.begin();
    const [touches, rows] = [this.#touches, this.grid.rows.value];
    const check = await requests.checkOrder(id);
    this.sync.take(check.problems, rows);
    // WHY: it says nothing of what was written meanwhile.
    if (this.#touches === touches) this.check.value = check;
  }

  async submit(): Promise<Order> {
    await this.flush();
    if (this.#next !== null) throw new Problem(questions.changedBeforeSubmit, 409);
    if (this.answered.conflicts.value.length + this.samples.conflicts.value.length > 0)
      throw new Problem(text.decideFirst, 409);
    if (this.samples.notSent().length > 0) {
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

  /** Read everything again, and merge it with what is here. */
  async reload(): Promise<void> {
    if (this.#next !== null) return this.#next.reload();
    const before = this.order.value;
    if (before === null) return;
    const [order, stored] = await Promise.all([requests.readOrder(before.id), this.sync.catchUp(before.id)]);
    this.answered.merge(order);
    if (!this.#checklistsChanged) this.checklists.value = stored.checklists;
  }

  /** Leave it; what is not saved yet is kept, and saved after. */
  async close(): Promise<void> {
    this.#end();
    this.#isClosing = true;
    if (this.#hasUnsaved()) {
      this.#keep();
      await this.flush().catch(() => {});
    }
    this.#channel?.close();
    this.#autosave.rest();
  }

  #end(): void {
    this.#stop.abort();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    if (this.#channel !== null) this.#channel.onmessage = null;
  }

  // Another form.

  /** Somebody has read that the form changed; these texts of questions that are gone are still kept. */
  readNews(left: readonly SetAside[]): void {
    this.formNews.value = null;
    this.setAside.value = left;
    this.#keep();
  }

  /** Read the form again, and go on by it where it is another one. What has no place in it is set aside. */
  async #lookAtForm(): Promise<void> {
    // What stands in an open cell belongs to no row yet: the next save looks again.
    const isCellOpen = !this.#isClosing && document.querySelector(".grid-editor :focus") !== null;
    if (!this.#hasOtherForm || this.#next !== null || isCellOpen) return;
    const form = await requests.readForm(this.#isClosing ? undefined : this.#stop.signal);
    const order = this.order.value;
    const stored = order === null ? { samples: [], checklists: [] } : await requests.readSamples(order.id);
    this.#hasOtherForm = false;
    if (JSON.stringify(form) === JSON.stringify(this.form)) return this.#keep();
    const kept = fitted(this.#unsaved(this.sync.isUncertain), form, {
      answers: this.answered.written,
      columns: this.columns.map(({ key }) => key),
      rows: this.grid.rows.value,
    });
    if (this.#isClosing) this.#store.write(kept);
    else this.#goOn({ ...this.#opened, form, order, stored, kept: [kept], store: this.#store });
  }

  #goOn(opened: Opened): void {
    this.#end();
    this.#channel?.close();
    this.#autosave.rest();
    clearTimeout(this.#keepTimer);
    const next = new Draft(opened);
    next.formNews.value = orderNews(this, next, this.formNews.value);
    next.savedAt.value = this.savedAt.value;
    if (!next.#hasUnsaved()) next.saving.value = this.saving.value;
    next.grid.select(this.grid.selection.value);
    this.#next = next;
    opened.onForm(next);
  }

  #findOtherForm(): void {
    this.#hasOtherForm = true;
    this.#autosave.enqueue(() => this.#lookAtForm());
  }

  // Keeping in the browser.

  #keep(isSending = false): void {
    clearTimeout(this.#keepTimer);
    this.#keepTimer = 0;
    // What goes on as another one is kept by that one.
    if (this.#next !== null) return;
    if (!this.#hasUnsaved() && this.setAside.value.length === 0) {
      // WHY: what was sent is perhaps not asked any more; what was kept last still has it.
      if (this.#hasOtherForm) return;
      this.#store.forget();
      this.isKeptNowhere.value = false;
      return;
    }
    this.isKeptNowhere.value = !this.#store.write(this.#unsaved(isSending || this.sync.isUncertain));
  }

  #unsaved(isUncertain: boolean): KeptDraft {
    return {
      ...this.answered.unsaved(),
      ...this.samples.unsaved(),
      checklists: this.#checklistsChanged ? this.checklists.value : null,
      isUncertain,
      labels: labelsOf(this),
      setAside: this.setAside.value,
    };
  }

  #restore(kept: KeptDraft): void {
    this.setAside.value = withMore(this.setAside.value, kept.setAside);
    this.answered.restore(kept);
    this.samples.restore(kept, kept.isUncertain);
    if (kept.checklists === null) return;
    this.checklists.value = kept.checklists;
    this.#checklistsChanged = true;
  }

  // Saving.

  #hasUnsaved(): boolean {
    const isWaiting = this.answered.hasUnsaved || this.samples.hasUnsaved || this.#checklistsChanged;
    return this.isDraft && !isDemo.value && isWaiting;
  }

  #touched(): void {
    if (!this.isDraft || isDemo.value) return;
    this.#touches += 1;
    this.saving.value = "waiting";
    this.check.value = null;
    this.samples.settle();
    // WHY: what an open cell gives when the page goes away has no later moment.
    if (this.#isLeaving) this.#keep();
    this.#keepTimer ||= window.setTimeout(() => this.#keep(), KEEP_AFTER_MS);
    this.#autosave.touched();
  }

  async #judge(): Promise<void> {
    const rows = this.#next === null ? this.sync.unjudged() : [];
    if (rows.length === 0) return;
    const order = this.order.value ?? (await this.#saveOrder());
    await this.sync.judge(order.id, rows);
  }

  async #save(): Promise<void> {
    await this.#lookAtForm();
    if (this.#next !== null) return;
    if (!this.#hasUnsaved()) {
      this.problem.value = null;
      return;
    }
    this.saving.value = "saving";
    const order = await this.#saveOrder();
    this.#keep(true);
    const checklists = this.#checklistsChanged ? this.checklists.value : null;
    const isWhole = await this.sync.save(order.id, checklists);
    if (this.sync.hasUnaskedCells) this.#findOtherForm();
    this.sync.hasUnaskedCells = false;
    if (this.checklists.value === checklists) this.#checklistsChanged = false;
    this.problem.value = null;
    this.savedAt.value = new Date();
    const isDirty =
      this.samples.dirty().length > 0 || this.answered.open.length > 0 || this.#checklistsChanged;
    this.saving.value = !isWhole ? "stopped" : isDirty ? "waiting" : "saved";
    if (!isWhole) this.#autosave.rest();
    this.#keep();
    this.#channel?.postMessage("saved");
  }

  async #saveOrder(): Promise<Order> {
    const before = this.order.value;
    const isNew = before === null;
    const saved = await this.#saveAnswers();
    if (saved !== before && saved.formVersion !== this.form.version) this.#findOtherForm();
    if (isNew) {
      this.#store.forget();
      this.#store = new KeptByTab(this.#opened.person, recordOf(saved), isKeptDraft);
      this.#listen();
      this.#opened.onNumber(saved.orderNumber);
      this.#keep();
    }
    return saved;
  }

  /** A refusal may come of questions that take other answers now. */
  async #saveAnswers(): Promise<Order> {
    try {
      return await this.answered.save();
    } catch (error) {
      if (asProblem(error).status === 400) this.#findOtherForm();
      throw error;
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
        this.#autosave.enqueue(() => this.reload());
      };
    }
    const { signal } = this.#stop;
    const leave = (isLeaving: boolean): void => {
      this.#isLeaving = isLeaving;
      this.#keep();
    };
    addEventListener("pagehide", () => leave(true), { signal });
    addEventListener("pageshow", () => leave(false), { signal });
    addEventListener("online", () => this.problem.value?.status === 0 && this.#autosave.saveIn(0), {
      signal,
    });
    // The browser asks in its own words, and only where leaving would lose something.
    addEventListener("beforeunload", (event) => this.isKeptNowhere.value && event.preventDefault(), {
      signal,
    });
  }
}
