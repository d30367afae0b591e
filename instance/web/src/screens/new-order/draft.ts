import { effect, type Signal, signal } from "@preact/signals";
import { type Kept, kept } from "../../api/kept";
import { Problem } from "../../api/problem";
import { asProblem } from "../../api/resource";
import type { GridModel } from "../../grid/model";
import type { Column } from "../../grid/table";
import { text } from "../../text/en/new-order";
import type { Answers, Order } from "./answers";
import { isKeptDraft, type KeptDraft } from "./kept-draft";
import { type Conflict, OrderAnswers } from "./order-answers";
import * as requests from "./requests";
import { SampleRows } from "./sample-rows";
import type { Form } from "./samples";

const JUDGE_AFTER_MS = 400;
const SAVE_AFTER_MS = 1500;
const KEEP_AFTER_MS = 250;

export type Saving = "untouched" | "waiting" | "saving" | "saved" | "failed";

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
  readonly samples: SampleRows;
  readonly checklists: Signal<readonly string[]>;
  readonly saving: Signal<Saving> = signal("untouched");
  readonly savedAt: Signal<Date | null> = signal(null);
  readonly changedElsewhere: Signal<Date | null> = signal(null);
  readonly problem: Signal<Problem | null> = signal(null);
  readonly check: Signal<requests.Check | null> = signal(null);
  readonly #answers: OrderAnswers;
  readonly #person: string;
  readonly #onNumber: (orderNumber: string) => void;
  #checklistsChanged = false;
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
    this.#answers = new OrderAnswers(opened.form, opened.order);
    this.samples = new SampleRows(opened.form, opened.stored.samples);
    this.checklists = signal(opened.stored.checklists);
    this.#person = person;
    this.#onNumber = onNumber;
    this.#restore();
    this.#listen();
    let isFirst = true;
    this.#unsubscribe = effect(() => {
      if (this.samples.dirty().length + this.samples.removed().length > 0 && !isFirst) this.#touched();
      isFirst = false;
    });
    if (this.#hasUnsaved()) this.#touched();
  }

  get order(): Signal<Order | null> {
    return this.#answers.order;
  }

  get answers(): Signal<Answers> {
    return this.#answers.values;
  }

  get conflicts(): Signal<readonly Conflict[]> {
    return this.#answers.conflicts;
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
    this.#answers.set(key, value);
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
    this.samples.take(check.problems);
  }

  async submit(): Promise<Order> {
    await this.flush();
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

  /** Read everything again, and lay what is not saved over it. */
  async reload(): Promise<void> {
    const before = this.order.value;
    if (before === null) return;
    const [order, stored] = await Promise.all([
      requests.readOrder(before.id),
      requests.readSamples(before.id),
    ]);
    this.#keep();
    this.#answers.load(order);
    this.checklists.value = stored.checklists;
    this.samples.load(stored.samples);
    this.#restore();
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
    this.#kept.write({
      answers: this.#answers.unsaved(),
      ...this.samples.unsaved(),
      checklists: this.#checklistsChanged ? this.checklists.value : null,
    });
  }

  #restore(): void {
    const found = this.#kept.read();
    if (found === null || !this.isDraft) return;
    this.#answers.restore(found.value.answers);
    this.samples.restore(found.value);
    const { checklists } = found.value;
    if (checklists === null) return;
    this.checklists.value = checklists;
    this.#checklistsChanged = true;
  }

  // Saving.

  #hasUnsaved(): boolean {
    const isWaiting = this.#answers.hasUnsaved || this.samples.hasUnsaved || this.#checklistsChanged;
    return this.isDraft && isWaiting;
  }

  #touched(): void {
    if (!this.isDraft) return;
    this.saving.value = "waiting";
    this.check.value = null;
    this.samples.forgetRefusals();
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

  async #judge(): Promise<void> {
    const rows = this.samples.unjudged();
    if (rows.length === 0) return;
    const order = this.order.value ?? (await this.#saveOrder());
    await this.samples.judge(order.id, rows);
  }

  async #save(): Promise<void> {
    if (!this.#hasUnsaved()) return;
    this.saving.value = "saving";
    this.problem.value = null;
    const known = this.order.value;
    const order = known === null || this.#answers.hasUnsaved ? await this.#saveOrder() : known;
    await this.samples.save(order.id, this.#checklistsChanged ? this.checklists.value : null);
    this.#checklistsChanged = false;
    await this.samples.deleteRemoved();
    this.savedAt.value = new Date();
    this.saving.value = this.samples.dirty().length > 0 || this.#answers.hasUnsaved ? "waiting" : "saved";
    this.#keep();
    this.#channel?.postMessage("saved");
  }

  async #saveOrder(): Promise<Order> {
    const keptBefore = this.#kept;
    const isNew = this.order.value === null;
    const saved = await this.#answers.save();
    if (isNew) {
      keptBefore.forget();
      this.#listen();
      this.#onNumber(saved.orderNumber);
    }
    return saved;
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
