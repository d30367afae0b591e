import { type Signal, signal } from "@preact/signals";
import { asProblem } from "../../api/resource";
import { keyOf } from "../../questions/form";
import { questionsBy } from "../../questions/set-aside";
import { type Answers, answersOf, bodyOfAnswers, defaultsOf, type Order } from "./answers";
import type { KeptDraft } from "./kept-draft";
import * as requests from "./requests";
import type { Form } from "./samples";

/** An answer that was changed here and elsewhere: mine waits until somebody has decided. */
export interface AnswerConflict {
  readonly key: string;
  readonly theirs: unknown;
  readonly at: Date;
}

type KeptAnswers = Pick<KeptDraft, "answers" | "bases" | "disputed">;

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

/** The answers of an order that is being written, and the order as it is stored. */
export class OrderAnswers {
  readonly order: Signal<Order | null>;
  readonly values: Signal<Answers>;
  readonly conflicts: Signal<readonly AnswerConflict[]> = signal([]);
  readonly #form: Form;
  readonly #changed = new Set<string>();

  constructor(form: Form, order: Order | null) {
    this.#form = form;
    this.order = signal(order);
    this.values = signal(order === null ? defaultsOf(form) : answersOf(order, form));
  }

  /** What the page shows of the questions that are asked; a default that nobody touched is not written. */
  get written(): Answers {
    const defaults = defaultsOf(this.#form);
    const asked = [...questionsBy(this.#form, keyOf).keys()];
    const isWritten = (key: string): boolean =>
      this.#changed.has(key) || !isSame(this.values.value[key], defaults[key]);
    return Object.fromEntries(asked.filter(isWritten).map((key) => [key, this.values.value[key]]));
  }

  get hasUnsaved(): boolean {
    return this.#changed.size > 0;
  }

  /** Answers that can be saved: changed ones, without those that are disputed. */
  get open(): readonly string[] {
    const disputed = new Set(this.conflicts.value.map(({ key }) => key));
    return [...this.#changed].filter((key) => !disputed.has(key));
  }

  set(key: string, value: unknown): void {
    this.values.value = { ...this.values.value, [key]: value };
    this.#changed.add(key);
    this.#settle();
  }

  keepMine(conflict: AnswerConflict): void {
    this.conflicts.value = this.conflicts.value.filter((one) => one !== conflict);
  }

  takeTheirs(conflict: AnswerConflict): void {
    this.values.value = { ...this.values.value, [conflict.key]: conflict.theirs };
    this.#settle();
  }

  /** What both sides wrote alike is neither disputed nor unsaved. */
  #settle(): void {
    const isSettled = ({ key, theirs }: AnswerConflict): boolean => isSame(this.values.value[key], theirs);
    for (const conflict of this.conflicts.value) if (isSettled(conflict)) this.#changed.delete(conflict.key);
    this.conflicts.value = this.conflicts.value.filter((conflict) => !isSettled(conflict));
  }

  unsaved(): KeptAnswers {
    const stored = this.#stored();
    const keys = [...this.#changed];
    return {
      answers: Object.fromEntries(keys.map((key) => [key, this.values.value[key] ?? null])),
      bases: Object.fromEntries(keys.map((key) => [key, stored[key] ?? null])),
      disputed: this.conflicts.value.map(({ key }) => key),
    };
  }

  /** Lay answers that were kept over what is stored, which others may have changed since. */
  restore({ answers, bases, disputed }: KeptAnswers): void {
    const stored = this.#stored();
    for (const key of Object.keys(answers)) this.#changed.add(key);
    this.values.value = { ...this.values.value, ...answers };
    if (this.order.value !== null) this.#dispute(bases, stored, this.order.value, disputed);
  }

  #stored(): Answers {
    return this.order.value === null ? {} : answersOf(this.order.value, this.#form);
  }

  /** Merge the order as it is stored now: what only others changed is taken, what both did is disputed. */
  merge(now: Order): void {
    const [old, theirs] = [this.#stored(), answersOf(now, this.#form)];
    const free = Object.keys(theirs).filter(
      (key) => !this.#changed.has(key) && !isSame(theirs[key], old[key]),
    );
    this.values.value = {
      ...this.values.value,
      ...Object.fromEntries(free.map((key) => [key, theirs[key]])),
    };
    this.order.value = now;
    this.#dispute(old, theirs, now);
  }

  #dispute(old: Answers, theirs: Answers, { updatedAt }: Order, more: readonly string[] = []): void {
    const isMoved = (key: string): boolean => more.includes(key) || !isSame(theirs[key], old[key]);
    const moved = [...this.#changed].filter(isMoved);
    const found = moved.map((key) => ({ key, theirs: theirs[key], at: new Date(updatedAt) }));
    this.conflicts.value = [...this.conflicts.value.filter(({ key }) => !moved.includes(key)), ...found];
    this.#settle();
  }

  /** Save what can be saved; the first time this makes the order. */
  async save(): Promise<Order> {
    const before = this.order.value;
    if (before === null) {
      const all = Object.keys(this.values.value);
      return this.#noteSaved(this.values.value, all, await requests.createOrder(this.#body(all)));
    }
    const [keys, sent] = [this.open, this.values.value];
    if (keys.length === 0) return before;
    const base = { baseUpdatedAt: before.updatedAt };
    try {
      return this.#noteSaved(
        sent,
        keys,
        await requests.saveOrder(before.id, { ...this.#body(keys), ...base }),
      );
    } catch (problem) {
      if (asProblem(problem).status !== 409) throw problem;
      this.merge(await requests.readOrder(before.id));
      return this.save();
    }
  }

  #noteSaved(sent: Answers, keys: readonly string[], saved: Order): Order {
    this.order.value = saved;
    for (const key of keys) if (this.values.value[key] === sent[key]) this.#changed.delete(key);
    return saved;
  }

  #body(keys: readonly string[]) {
    return bodyOfAnswers(this.#form, this.values.value, new Set(keys));
  }
}
