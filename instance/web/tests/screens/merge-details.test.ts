import { expect, test } from "vitest";
import {
  changesOf,
  conflictsOf,
  mergeDetails,
  readAnswer,
  withAnswer,
} from "../../src/screens/studies/merge";

const base = {
  title: "Soil",
  alias: "soil",
  description: "",
  checklistType: "ERC000022",
  metadata: { depth: 3, site: "north" },
};

test("what each of two people changed alone is in the merged details", () => {
  const mine = { ...base, title: "Soil of two shores" };
  const theirs = { ...base, alias: "shores", metadata: { ...base.metadata, site: "south" } };

  const merged = mergeDetails(base, mine, theirs);

  expect(merged).toEqual({ ...theirs, title: "Soil of two shores" });
  expect(changesOf(merged, theirs)).toEqual(["title"]);
  expect(conflictsOf(base, mine, theirs)).toEqual([]);
});

test("what both changed stays mine, and theirs can be taken over", () => {
  const mine = { ...base, metadata: { ...base.metadata, depth: 4 } };
  const theirs = { ...base, metadata: { ...base.metadata, depth: 5 } };

  const merged = mergeDetails(base, mine, theirs);

  expect(conflictsOf(base, mine, theirs)).toEqual(["metadata.depth"]);
  expect(conflictsOf(base, theirs, theirs)).toEqual([]);
  expect(readAnswer(theirs, "metadata.depth")).toBe("5");
  expect(withAnswer(merged, theirs, "metadata.depth")).toEqual(theirs);
});

test("an answer that only one side has is a change", () => {
  const { depth: _depth, ...rest } = base.metadata;

  expect(changesOf(base, { ...base, metadata: rest })).toEqual(["metadata.depth"]);
  expect(mergeDetails(base, { ...base, metadata: rest }, base).metadata).toEqual({ ...rest, depth: null });
});
