import { type ReadonlySignal, signal } from "@preact/signals";
import { asProblem } from "../../api/resource";
import { text } from "../../text/en/order";
import type { ListedOrder } from "./state";

/** What is asked of an order here. */
export type StepOrder = Pick<ListedOrder, "id" | "orderNumber" | "name" | "next">;
type What = NonNullable<ListedOrder["next"]>["what"];

/** What the facility records of an order with one click, where that is its next step. */
export interface OneClickStep {
  id: "accept" | "receive";
  noteType: "ORDER_ACCEPTED" | "SAMPLES_RECEIVED";
  content: string;
  after: readonly What[];
}

export const ONE_CLICK_STEPS: readonly OneClickStep[] = [
  { id: "accept", noteType: "ORDER_ACCEPTED", content: text.acceptedDone, after: ["ACCEPT"] },
  {
    id: "receive",
    noteType: "SAMPLES_RECEIVED",
    content: text.receivedDone,
    // Samples come also where nobody said that they were sent.
    after: ["SEND_SAMPLES", "RECEIVE_SAMPLES"],
  },
];

/** The orders for which a step is the next one. */
export function readyFor(step: OneClickStep, orders: readonly StepOrder[]): StepOrder[] {
  return orders.filter(({ next }) => next !== null && step.after.includes(next.what));
}

export interface Failure {
  order: StepOrder;
  words: string;
}

export interface BulkState {
  step: OneClickStep;
  /** How many of them were asked for, with or without success. */
  done: number;
  all: number;
  failures: readonly Failure[];
}

export interface Bulk {
  /** What goes on or was done last; null at the beginning. */
  readonly state: ReadonlySignal<BulkState | null>;
  readonly isRunning: ReadonlySignal<boolean>;
  /** Record a step for each order, one request after the other; what fails does not keep the others back. */
  run(step: OneClickStep, orders: readonly StepOrder[]): Promise<void>;
}

export function bulk(save: (orderId: string, step: OneClickStep) => Promise<void>): Bulk {
  const state = signal<BulkState | null>(null);
  const isRunning = signal(false);
  return {
    state,
    isRunning,
    async run(step, orders) {
      if (isRunning.value) return;
      isRunning.value = true;
      let now: BulkState = { step, done: 0, all: orders.length, failures: [] };
      state.value = now;
      for (const order of orders) {
        const failed = await save(order.id, step).then(
          () => [],
          (reason: unknown) => [{ order, words: asProblem(reason).message }],
        );
        now = { ...now, done: now.done + 1, failures: [...now.failures, ...failed] };
        state.value = now;
      }
      isRunning.value = false;
    },
  };
}
