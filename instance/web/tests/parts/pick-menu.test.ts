import { expect, test } from "vitest";
import { groupsWith } from "../../src/parts/pick-menu";

const GROUPS = [
  { label: "Orders", choices: [{ value: "a", label: "Order deleted" }] },
  {
    label: "People",
    choices: [
      { value: "b", label: "Role changed" },
      { value: "c", label: "Account changed" },
    ],
  },
];
const valuesOf = (typed: string): string[] =>
  groupsWith(GROUPS, typed).flatMap(({ choices }) => choices.map(({ value }) => value));

test("a choice is found by a part of its words, in any case", () => {
  expect(valuesOf(" CHANGED ")).toEqual(["b", "c"]);
  expect(valuesOf("role")).toEqual(["b"]);
});

test("the name of a group finds all of it, and an empty group is not shown", () => {
  expect(valuesOf("people")).toEqual(["b", "c"]);
  expect(groupsWith(GROUPS, "people")).toHaveLength(1);
  expect(groupsWith(GROUPS, "nothing so")).toEqual([]);
});

test("before anything is typed there is everything", () => {
  expect(groupsWith(GROUPS, "")).toEqual(GROUPS);
});
