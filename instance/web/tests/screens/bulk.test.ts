import { expect, test } from "vitest";
import { Problem } from "../../src/api/problem";
import {
  bulk,
  ONE_CLICK_STEPS,
  type OneClickStep,
  readyFor,
  type StepOrder,
} from "../../src/screens/orders/bulk";

const order = (id: string, next: StepOrder["next"] = { who: "FACILITY", what: "ACCEPT" }): StepOrder => ({
  id,
  orderNumber: id,
  name: null,
  next,
});

function stepOf(id: OneClickStep["id"]): OneClickStep {
  const step = ONE_CLICK_STEPS.find((known) => known.id === id);
  if (!step) throw new Error(id);
  return step;
}

test("a step is for the orders that it is next for", () => {
  const orders = [
    order("new"),
    order("awaited", { who: "RESEARCHER", what: "SEND_SAMPLES" }),
    order("sent", { who: "FACILITY", what: "RECEIVE_SAMPLES" }),
    order("draft", { who: "RESEARCHER", what: "FINISH_DRAFT" }),
    order("over", null),
  ];

  expect(readyFor(stepOf("accept"), orders).map(({ id }) => id)).toEqual(["new"]);
  expect(readyFor(stepOf("receive"), orders).map(({ id }) => id)).toEqual(["awaited", "sent"]);
});

test("what fails is told by its order, and keeps no other back", async () => {
  const saved: string[] = [];
  const steps = bulk(async (id) => {
    if (id === "b") throw new Problem("Order is closed", 409);
    saved.push(id);
  });

  await steps.run(stepOf("accept"), [order("a"), order("b"), order("c")]);

  expect(saved).toEqual(["a", "c"]);
  expect(steps.isRunning.value).toBe(false);
  expect(steps.state.value).toMatchObject({ done: 3, all: 3 });
  expect(steps.state.value?.failures.map((one) => [one.order.id, one.words])).toEqual([
    ["b", "Order is closed"],
  ]);
});

test("a second start while the first one runs does nothing", async () => {
  let calls = 0;
  const steps = bulk(async () => {
    calls += 1;
  });

  await Promise.all([steps.run(stepOf("accept"), [order("a")]), steps.run(stepOf("accept"), [order("a")])]);

  expect(calls).toBe(1);
});
