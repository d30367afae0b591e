import { expect, test } from "vitest";
import type { FormField } from "../../src/questions/form";
import { asTexts, isShown, sorted, withMore } from "../../src/questions/set-aside";

const field = (type: FormField["type"], options: string[] = []): FormField => ({
  id: "q",
  name: "q",
  type,
  label: "Question",
  options,
  required: false,
  visible: true,
  order: 0,
  groupId: null,
  perSample: false,
});

test.each([
  [field("text"), "soil", true],
  [field("textarea"), 12, true],
  [field("text"), ["soil"], false],
  [field("select", ["soil"]), "soil", true],
  [field("select", ["water"]), "soil", false],
  [field("multiselect", ["soil", "water"]), ["soil"], true],
  [field("multiselect", ["water"]), ["soil"], false],
  [field("checkbox"), "yes", false],
  [field("number"), "1.5", true],
  [field("number"), "many", false],
  [field("date"), "2026-11-27", true],
  [field("date"), "in autumn", false],
  [field("mixs"), { checklist: "ERC000011" }, true],
  [field("mixs"), { checklist: "ERC000012" }, false],
  [field("funding"), [{ funder: "DFG" }], true],
  [field("billing"), "K1234", false],
])("what a control can show is shown: %#", (question, value, expected) => {
  expect(isShown(question, value, ["ERC000011"])).toBe(expected);
});

test("answers without a question are left, with what they were called", () => {
  const answers = { kept: "soil", gone: "cores", empty: "", parts: { projectCode: "K1", costCenter: "" } };
  const { taken, left } = sorted(answers, new Map([["kept", field("text")]]));

  expect(taken).toEqual({ kept: "soil" });
  expect(asTexts(left, { gone: "Description" })).toEqual([
    { label: "Description", text: "cores" },
    { label: "parts", text: "K1" },
  ]);
});

test("the same text is set aside once", () => {
  const one = { label: "Description", text: "cores" };
  expect(withMore([one], [one, { ...one, text: "more cores" }])).toHaveLength(2);
});
