import { describe, expect, test } from "vitest";
import { Problem } from "../../src/api/problem";
import { Answers } from "../../src/screens/studies/answers";
import { type Field, termsOf } from "../../src/screens/studies/columns";
import { isKeptSheet } from "../../src/screens/studies/kept-texts";
import type { Checklist, Sample } from "../../src/screens/studies/state";
import { withUnits } from "../../src/screens/studies/units";
import { column } from "../grid/columns";

type Term = Checklist["fields"][number];

const term = (over: Partial<Term>): Term => ({
  ...{ name: "depth", label: "depth", type: "text", required: true, level: "mandatory", section: "" },
  ...{ units: [], options: [], pattern: null, helpText: null, example: null, order: 1 },
  ...over,
});
const DEPTH: Field = {
  level: "mandatory",
  column: column("depth", "text", { key: "depth", unit: "m", terms: ["not collected"] }),
  units: ["m", "mm"],
  term: term({ units: ["m", "mm"] }),
};
const DATE: Field = {
  level: "form",
  column: column("Date", "date", { key: "\u0000date" }),
  units: [],
  term: null,
};

const sample = (id: string, depth: string, unit: string | null): Sample => ({
  ...{ id, sampleId: id, sampleAlias: id, scientificName: null, taxId: null, customFields: {} },
  ...{ orderId: "o", studyId: "s", createdAt: "2031-05-04T00:00:00Z", updatedAt: "2031-05-04T00:00:00Z" },
  checklistData: depth === "" ? {} : { depth },
  checklistUnits: unit === null ? {} : { depth: unit },
});

function answersOf(...samples: Sample[]): Answers {
  return new Answers(samples, [DEPTH, DATE]);
}

function type(answers: Answers, id: string, depth: string, date = ""): void {
  answers.take({ id, cells: [depth, date] }, [DEPTH.column, DATE.column]);
}

describe("a text that the service refuses", () => {
  function refused(): Answers {
    const answers = answersOf(sample("a", "1", "m"));
    type(answers, "a", "2", "May");
    const sending = answers.toSend();
    const details = ["samples[0].customFields.date: must be a date like 2031-05-04"];
    const problem = new Problem("Validation failed", 400, { details });
    expect(answers.takeRefusal(problem, answers.bodies(sending), sending)).toBe(true);
    const left = answers.withoutRefused(sending);
    expect(left).toEqual({ a: { depth: "2" } });
    answers.settle(left);
    return answers;
  }

  test("is not saved, is kept, and is not sent again", () => {
    const answers = refused();

    expect(answers.refusal("a", DATE.column.key)).toBe("must be a date like 2031-05-04");
    expect(answers.waiting).toBe(1);
    expect(answers.hasToSend).toBe(false);
    expect(answers.kept()?.texts).toEqual({ a: { "\u0000date": "May" } });
  });

  test("is sent after a reload, which may find another rule", () => {
    const again = answersOf(sample("a", "2", "m"));
    const kept = refused().kept();
    expect(isKeptSheet({ ...kept, labels: {}, setAside: [] })).toBe(true);
    if (kept !== null) again.restore(kept);

    expect(again.text("a", DATE.column.key)).toBe("May");
    expect(again.toSend()).toEqual({ a: { "\u0000date": "May" } });
  });

  test("is forgotten as soon as another text is stored", () => {
    const answers = refused();
    type(answers, "a", "2", "2031-05-04");
    const sending = answers.toSend();
    expect(answers.bodies(sending)).toEqual([{ id: "a", customFields: { date: "2031-05-04" } }]);
    answers.settle(sending);

    expect(answers.kept()).toBeNull();
    expect(answers.waiting).toBe(0);
    type(answers, "a", "2", "May");
    expect(answers.refusal("a", DATE.column.key)).toBeUndefined();
    expect(answers.hasToSend).toBe(true);
  });

  test("is no longer unsaved where somebody takes it back", () => {
    const answers = refused();
    type(answers, "a", "2", "");

    expect(answers.waiting).toBe(0);
    expect(answers.kept()).toBeNull();
  });
});

describe("units", () => {
  test("a text is sent with the unit of its own sample, and no other sample is", () => {
    const answers = answersOf(sample("a", "1", "m"), sample("b", "200", "mm"), sample("c", "", null));
    const shown = withUnits(DEPTH.column, answers);
    expect(shown.unit).toBe("m, mm");
    expect(["a", "b", "c"].map((id) => shown.unitOf?.({ id, cells: [] }))).toEqual(["m", "mm", undefined]);

    type(answers, "b", "250");
    expect(answers.bodies(answers.toSend())).toEqual([{ id: "b", checklistData: { depth: "250" } }]);
    expect(answers.units.of("b", "depth")).toBe("mm");
    type(answers, "c", "3");
    expect(answers.bodies(answers.toSend())[1]).toEqual({
      id: "c",
      checklistData: { depth: "3" },
      checklistUnits: { depth: "m" },
    });
  });

  test("a value that goes, or becomes a term, has none", () => {
    const answers = answersOf(sample("a", "1", "m"), sample("b", "2", "m"));
    type(answers, "a", "");
    type(answers, "b", "not collected");

    expect(answers.bodies(answers.toSend())).toEqual([
      { id: "a", checklistData: { depth: null }, checklistUnits: { depth: null } },
      { id: "b", checklistData: { depth: "not collected" }, checklistUnits: { depth: null } },
    ]);
  });

  test("a chosen unit is of all samples, and is kept until it is stored", () => {
    const samples = [sample("a", "1", "m"), sample("b", "200", "mm"), sample("c", "", null)];
    const answers = answersOf(...samples);
    answers.units.choose("depth", "mm");
    const kept = answers.kept();
    expect(kept).toEqual({ texts: {}, bases: {}, units: { depth: "mm" } });

    const again = answersOf(...samples);
    if (kept !== null) again.restore(kept);
    expect(again.units.inUse("depth")).toEqual(["mm"]);
    expect(again.bodies(again.toSend())).toEqual([{ id: "a", checklistUnits: { depth: "mm" } }]);
    again.units.takeStored([sample("a", "1", "mm")]);
    again.units.settle(again.units.unsent);
    expect(again.kept()).toBeNull();
    expect(again.units.inUse("depth")).toEqual(["mm"]);
  });

  test("a unit that was chosen while another one was on its way is sent as well", () => {
    const answers = answersOf(sample("a", "1", "m"));
    answers.units.choose("depth", "mm");
    const sent = answers.units.unsent;
    answers.units.choose("depth", "m");
    answers.units.takeStored([sample("a", "1", "mm")]);
    answers.units.settle(sent);

    expect(answers.bodies(answers.toSend())).toEqual([{ id: "a", checklistUnits: { depth: "m" } }]);
  });

  test("what somebody else stores is shown", () => {
    const answers = answersOf(sample("a", "1", "m"));
    expect(answers.units.takeStored([sample("a", "1", "m")])).toBe(false);
    expect(answers.units.takeStored([sample("a", "1", "mm")])).toBe(true);
    expect(answers.units.inUse("depth")).toEqual(["mm"]);
    expect(answers.units.takeStored([sample("a", "", null)])).toBe(true);
    expect(answers.units.inUse("depth")).toEqual(["m"]);
  });
});

describe("a text that was kept while something else was stored", () => {
  const kept = { texts: { a: { depth: "2" } }, bases: { a: { depth: "1" } }, units: {} };

  test("is not sent before somebody has decided", () => {
    const answers = answersOf(sample("a", "3", "m"));
    answers.restore(kept);

    expect(answers.disputes()).toEqual([{ id: "a", key: "depth", mine: "2", theirs: "3" }]);
    expect(answers.hasToSend).toBe(false);
    expect(answers.waiting).toBe(1);
    expect(answers.kept()).toEqual(kept);
    answers.keepMine("a", "depth");
    expect(answers.toSend()).toEqual({ a: { depth: "2" } });
  });

  test("goes for theirs, or for what is typed instead", () => {
    const answers = answersOf(sample("a", "3", "m"));
    answers.restore(kept);
    type(answers, "a", "4");
    expect(answers.disputes()).toEqual([]);
    expect(answers.toSend()).toEqual({ a: { depth: "4" } });

    answers.restore(kept);
    answers.takeTheirs("a", "depth");
    expect(answers.text("a", "depth")).toBe("3");
    expect(answers.kept()).toBeNull();
  });

  test.each(["1", "2"])("is nobody's dispute where %s is stored", (stored) => {
    const answers = answersOf(sample("a", stored, "m"));
    answers.restore(kept);

    expect(answers.disputes()).toEqual([]);
    expect(answers.toSend()).toEqual(stored === "2" ? {} : { a: { depth: "2" } });
  });
});

test("other fields begin with what is stored, and those that stay with what was typed", () => {
  const stored = { ...sample("a", "1", "m"), customFields: { colour: "brown" } };
  const answers = answersOf(stored);
  type(answers, "a", "2", "May");
  const colour: Field = { ...DATE, column: column("Colour", "text", { key: "\u0000colour" }) };

  answers.ask([DEPTH, colour], [stored]);

  expect(answers.text("a", "\u0000colour")).toBe("brown");
  expect(answers.toSend()).toEqual({ a: { depth: "2" } });
});

describe("words instead of a value", () => {
  const pattern =
    "(?:[12][0-9]{3}(-(0[1-9]|1[0-2]))?)|[|x]|not applicable|restricted access|missing(?:: (?:lab stock|data agreement established pre-2023|human-identifiable))?";

  test("are those that the rule of the term names", () => {
    expect(termsOf(term({ pattern }))).toEqual([
      ...["not applicable", "restricted access", "missing", "missing: lab stock"],
      ...["missing: data agreement established pre-2023", "missing: human-identifiable"],
    ]);
    expect(termsOf(term({ pattern: "[+-]?(0|[1-9][0-9]*)" }))).toEqual([]);
  });

  test("are those among its options, and the common ones of free text", () => {
    const options = ["lake", "not provided", "missing", "missing: lab stock", "missing link"];
    expect(termsOf(term({ type: "select", options }))).toEqual([
      ...["not provided", "missing", "missing: lab stock"],
    ]);
    expect(termsOf(term({}))).toContain("not collected");
    expect(termsOf(term({ type: "number" }))).toEqual([]);
  });
});
