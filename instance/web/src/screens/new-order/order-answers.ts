import { type Signal, signal } from "@preact/signals";
import { asProblem } from "../../api/resource";
import { type Answers, answersOf, bodyOfAnswers, defaultsOf, type Order } from "./answers";
import * as requests from "./requests";
import type { Form } from "./samples";

/** An answer that somebody else has changed as well. */
export interface Conflict {
  readonly key: string;
  readonly theirs: unknown;
}

/** The answers of an order that is being written, and the order as it is stored. */
export class OrderAnswers {
  readonly order: Signal<Order | null>;
  readonly values: Signal<Answers>;
  readonly conflicts: Signal<readonly Conflict[]> = signal([]);
  readonly #form: Form;
  readonly #changed = new Set<string>();

  constructor(form: Form, order: Order | null) {
    this.#form = form;
    this.order = signal(order);
    this.values = signal(order === null ? defaultsOf(form) : answersOf(order, form));
  }

  get hasUnsaved(): boolean {
    return this.#changed.size > 0;
  }

  set(key: string, value: unknown): void {
    this.values.value = { ...this.values.value, [key]: value };
    this.#changed.add(key);
    this.conflicts.value = this.conflicts.value.filter((conflict) => conflict.key !== key);
  }

  /** Take an order as it was read anew. */
  load(order: Order): void {
    this.order.value = order;
    this.values.value = answersOf(order, this.#form);
  }

  unsaved(): Answers {
    return Object.fromEntries([...this.#changed].map((key) => [key, this.values.value[key] ?? null]));
  }

  restore(answers: Answers): void {
    this.values.value = { ...this.values.value, ...answers };
    for (const key of Object.keys(answers)) this.#changed.add(key);
  }

  /** Save what changed; the first time this makes the order. */
  async save(): Promise<Order> {
    const sent = new Map([...this.#changed].map((key) => [key, this.values.value[key]]));
    const before = this.order.value;
    const saved =
      before === null
        ? await requests.createOrder(this.#body(Object.keys(this.values.value)))
        : await this.#saveOver(before, this.#body([...sent.keys()]));
    this.order.value = saved;
    for (const [key, value] of sent) if (this.values.value[key] === value) this.#changed.delete(key);
    return saved;
  }

  #body(keys: readonly string[]) {
    return bodyOfAnswers(this.#form, this.values.value, new Set(keys));
  }

  async #saveOver(before: Order, body: ReturnType<typeof bodyOfAnswers>): Promise<Order> {
    try {
      return await requests.saveOrder(before.id, { ...body, baseUpdatedAt: before.updatedAt });
    } catch (problem) {
      if (asProblem(problem).status !== 409) throw problem;
      const baseUpdatedAt = await this.#lookAgain(before);
      return requests.saveOrder(before.id, { ...body, baseUpdatedAt });
    }
  }

  /** Somebody else saved meanwhile: take what only they changed, and tell of what both did. */
  async #lookAgain(before: Order): Promise<string> {
    const now = await requests.readOrder(before.id);
    const [old, theirs] = [answersOf(before, this.#form), answersOf(now, this.#form)];
    const isOther = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);
    const changed = Object.keys(theirs).filter((key) => isOther(theirs[key], old[key]));
    const free = changed.filter((key) => !this.#changed.has(key)).map((key) => [key, theirs[key]]);
    this.values.value = { ...this.values.value, ...Object.fromEntries(free) };
    this.conflicts.value = changed
      .filter((key) => this.#changed.has(key) && isOther(theirs[key], this.values.value[key]))
      .map((key) => ({ key, theirs: theirs[key] }));
    this.order.value = now;
    return now.updatedAt;
  }
}
