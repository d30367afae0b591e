import { describe, expect, test } from "vitest";
import type { FormField } from "../../src/questions/form";
import { differences } from "../../src/screens/forms/compare";
import {
  type Form,
  fieldsOf,
  freeName,
  laneOf,
  newField,
  placed,
  stepped,
  steppedGroup,
  withField,
  withoutField,
  withoutGroup,
} from "../../src/screens/forms/form";
import { merged, takenTheirs } from "../../src/screens/forms/merge";

function field(id: string, order: number, more: Partial<FormField> = {}): FormField {
  return {
    id,
    name: id,
    label: id.toUpperCase(),
    type: "text",
    options: [],
    required: false,
    visible: true,
    perSample: false,
    groupId: "g1",
    order,
    ...more,
  };
}

const FORM: Form = {
  fields: [
    field("a", 0),
    field("b", 1),
    field("c", 2),
    field("d", 0, { groupId: "g2" }),
    field("x", 0, { perSample: true }),
    field("y", 0, { perSample: true, groupId: "g2" }),
  ],
  groups: [
    { id: "g1", name: "First", icon: "", order: 0 },
    { id: "g2", name: "Second", icon: "", order: 1 },
  ],
  enabledMixsChecklists: ["ERC000022"],
};

const ids = (fields: readonly FormField[]): string => fields.map(({ id }) => id).join("");
const inGroup = (form: Form, groupId: string | null): string =>
  ids(laneOf(form, { groupId, perSample: false }));
const get = (form: Form, id: string): FormField => {
  const found = form.fields.find((one) => one.id === id);
  if (!found) throw new Error(id);
  return found;
};
const changed = (form: Form, id: string, more: Partial<FormField>): Form =>
  withField(form, { ...get(form, id), ...more });

describe("moving", () => {
  test("a question changes places with the one beside it", () => {
    expect(inGroup(stepped(FORM, "b", -1), "g1")).toBe("bac");
    expect(inGroup(stepped(FORM, "b", 1), "g1")).toBe("acb");
  });

  test("at the edge of its group a question enters the next one, and at the end none", () => {
    const below = stepped(FORM, "c", 1);
    expect([inGroup(below, "g1"), inGroup(below, "g2")]).toEqual(["ab", "cd"]);
    expect(inGroup(stepped(below, "c", -1), "g1")).toBe("abc");
    expect(stepped(FORM, "a", -1)).toBe(FORM);
    const inNone = stepped(FORM, "d", 1);
    expect(inGroup(inNone, null)).toBe("d");
    expect(stepped(inNone, "d", 1)).toBe(inNone);
  });

  test("a column enters the group of the column beside it, and stays a column", () => {
    const first = stepped(stepped(FORM, "y", -1), "y", -1);
    expect(ids(fieldsOf(first, true))).toBe("yx");
    expect(get(first, "y").groupId).toBe("g1");
    expect(stepped(first, "y", -1)).toBe(first);
  });

  test("a question is put before another one, in whichever group", () => {
    const lane = { groupId: "g2", perSample: false };
    const moved = placed(FORM, get(FORM, "a"), lane, "d");
    expect([inGroup(moved, "g1"), inGroup(moved, "g2")]).toEqual(["bc", "ad"]);
    expect(inGroup(placed(FORM, get(FORM, "a"), get(FORM, "c"), null), "g1")).toBe("bca");
  });

  test("the questions of a group that is removed stay, in none", () => {
    const rest = withoutGroup(FORM, "g1");
    expect(inGroup(rest, null)).toBe("abc");
    expect(rest.groups.map(({ id, order }) => [id, order])).toEqual([["g2", 0]]);
    expect(steppedGroup(FORM, "g2", -1).groups.map(({ id }) => id)).toEqual(["g2", "g1"]);
  });
});

test("a name is made of a label, and is free", () => {
  expect(freeName(FORM, "Depth of water (m)")).toBe("depthOfWaterM");
  expect(freeName(FORM, "PCR cycles")).toBe("PCRCycles");
  expect(freeName(FORM, "a")).toBe("a2");
  expect(freeName(FORM, "a", "a")).toBe("a");
  expect(freeName(FORM, "16S")).toBe("field16S");
  expect(freeName(FORM, "深さ")).toBe("field");
  const added = newField(FORM, { groupId: "g2", perSample: false }, "Depth");
  expect([added.name, added.order, added.groupId]).toEqual(["depth", 1, "g2"]);
});

describe("differences", () => {
  const kinds = (to: Form): string[] =>
    differences(FORM, to).map((one) =>
      "id" in one
        ? `${one.kind} ${one.id}${one.kind === "changed" ? ` ${one.key}` : ""}`
        : `${one.kind} ${one.accession}`,
    );

  test("one that asks the same has none, however nothing is written", () => {
    expect(kinds(changed(FORM, "a", { units: [], helpText: "" }))).toEqual([]);
  });

  test("what changed has both values, bounds of the answer one by one", () => {
    const to = changed(FORM, "a", { required: true, validation: { min: 1, max: 3 } });
    expect(differences(FORM, to)).toEqual([
      { kind: "changed", part: "field", id: "a", label: "A", key: "required", from: null, to: true },
      { kind: "changed", part: "field", id: "a", label: "A", key: "validation.min", from: null, to: 1 },
      { kind: "changed", part: "field", id: "a", label: "A", key: "validation.max", from: null, to: 3 },
    ]);
  });

  test("one that moved is told once, and not all that it passed", () => {
    expect(kinds(placed(FORM, get(FORM, "c"), get(FORM, "a"), "a"))).toEqual(["moved c"]);
    expect(kinds(placed(FORM, get(FORM, "c"), { groupId: "g2", perSample: false }, null))).toEqual([
      "changed c groupId",
    ]);
  });

  test("new ones, removed ones and checklists are told", () => {
    const to = withoutField(FORM, "d");
    expect(
      kinds({ ...to, fields: [...to.fields, field("e", 3)], enabledMixsChecklists: ["ERC000013"] }),
    ).toEqual(["added e", "removed d", "offered ERC000013", "withdrawn ERC000022"]);
  });
});

describe("two people", () => {
  test("who change different things have both", () => {
    const mine = changed(FORM, "a", { label: "Mine" });
    const theirs = withoutField(changed(FORM, "a", { required: true }), "d");
    const both = merged(FORM, mine, { ...theirs, fields: [...theirs.fields, field("e", 3)] });
    expect(both.disputes).toEqual([]);
    expect(get(both.form, "a")).toMatchObject({ label: "Mine", required: true });
    expect(ids(both.form.fields)).toBe("abcxye");
  });

  test("who change the same keep mine until it is decided", () => {
    const both = merged(FORM, changed(FORM, "a", { label: "Mine" }), changed(FORM, "a", { label: "Theirs" }));
    const [dispute] = both.disputes;
    expect(both.disputes).toEqual([
      { part: "field", id: "a", label: "Mine", key: "label", mine: "Mine", theirs: "Theirs" },
    ]);
    expect(get(both.form, "a").label).toBe("Mine");
    expect(dispute && get(takenTheirs(both.form, dispute), "a").label).toBe("Theirs");
  });

  test("of whom one removed what the other changed decide as well", () => {
    const gone = withoutField(FORM, "a");
    const kept = changed(FORM, "a", { label: "Kept" });
    const iRemoved = merged(FORM, gone, kept);
    expect(iRemoved.disputes).toMatchObject([{ id: "a", key: null }]);
    expect(ids(iRemoved.form.fields)).toBe("bcdxy");
    expect(iRemoved.disputes[0] && get(takenTheirs(iRemoved.form, iRemoved.disputes[0]), "a").label).toBe(
      "Kept",
    );
    const theyRemoved = merged(FORM, kept, gone);
    expect(get(theyRemoved.form, "a").label).toBe("Kept");
    expect(
      theyRemoved.disputes[0] && ids(takenTheirs(theyRemoved.form, theyRemoved.disputes[0]).fields),
    ).toBe("bcdxy");
  });

  test("of whom one unset what the other left have it unset", () => {
    const base = changed(FORM, "a", { helpText: "Help" });
    const both = merged(base, base, FORM);
    expect("helpText" in get(both.form, "a") && get(both.form, "a").helpText).toBeFalsy();
  });

  test("who both choose checklists have what both chose", () => {
    const mine = { ...FORM, enabledMixsChecklists: ["ERC000022", "ERC000013"] };
    const theirs = { ...FORM, enabledMixsChecklists: ["ERC000014"] };
    expect(merged(FORM, mine, theirs).form.enabledMixsChecklists).toEqual(["ERC000014", "ERC000013"]);
  });
});
