import { expect, test } from "vitest";
import { isFieldFound, objectChanges, sections, studiesTouched } from "../../src/screens/checklists/rules";
import type { Field, Listed, Update } from "../../src/screens/checklists/state";

const listed = (accession: string, studies: number): Listed => ({
  accession,
  name: `List ${accession}`,
  description: "",
  fieldCount: 1,
  mandatoryCount: 0,
  deprecated: false,
  available: true,
  image: null,
  studies,
});

const field = (name: string, more: Partial<Field> = {}): Field => ({
  name,
  label: name,
  type: "text",
  required: false,
  level: "optional",
  section: "Sample",
  units: [],
  options: [],
  pattern: null,
  helpText: null,
  example: null,
  order: 0,
  ...more,
});

const update: Update = {
  hasUpdates: true,
  currentVersion: 6,
  remoteVersion: 7,
  diff: {
    added: ["N"],
    removed: ["G"],
    changed: [
      {
        accession: "C",
        newFields: ["ph_method"],
        removedFields: [],
        newlyRequired: ["depth"],
        labels: { ph_method: "pH method", depth: "Depth" },
        values: [
          { field: "depth", key: "pattern", before: "[0-9]", after: null },
          { field: null, key: "name", before: "Old soil", after: "Soil" },
        ],
      },
      { accession: "K", newFields: [], removedFields: ["ph"], newlyRequired: [], labels: {}, values: [] },
    ],
    names: { N: "New list", G: "Gone list", C: "Soil", K: "Off" },
    keptOff: ["K"],
  },
  skipped: [],
  warnings: [],
};

test("an update is told by checklist, with the labels of fields and the studies that use it", () => {
  const changes = objectChanges(update, [listed("C", 2), listed("K", 0), listed("G", 1)]);

  expect(changes).toEqual([
    { id: "N", name: "New list", kind: "new", notes: [] },
    {
      id: "C",
      name: "Soil",
      href: "/facility/checklists/C",
      kind: "changed",
      notes: ["1 field is new: pH method", "Newly required: Depth", "Used by 2 studies"],
      values: [
        { label: "Depth, pattern", before: "[0-9]", after: null },
        { label: "Name", before: "Old soil", after: "Soil" },
      ],
    },
    {
      id: "K",
      name: "Off",
      href: "/facility/checklists/K",
      kind: "kept",
      notes: ["1 field is removed: ph", "It stays switched off; its fields are updated."],
      values: [],
    },
    {
      id: "G",
      name: "Gone list",
      href: "/facility/checklists/G",
      kind: "gone",
      notes: ["Studies that use it keep it; new studies cannot choose it.", "Used by 1 study"],
    },
  ]);
});

test("the studies that an update touches are those of lists that change or go", () => {
  expect(studiesTouched(update, [listed("C", 2), listed("G", 1), listed("other", 9)])).toBe(3);
});

test("fields stand by section in the order of the checklist", () => {
  const fields = [
    field("b", { order: 2, section: "Host" }),
    field("c", { order: 3 }),
    field("a", { order: 1 }),
  ];

  expect(sections(fields).map(({ name, fields: inside }) => [name, inside.map((one) => one.name)])).toEqual([
    ["Sample", ["a", "c"]],
    ["Host", ["b"]],
  ]);
});

test.each([
  ["", true],
  ["DEPTH metres", true],
  ["depth lake", false],
  ["shore", true],
])("a search for %j finds the depth: %j", (words, isFound) => {
  const depth = field("depth", { label: "Depth", helpText: "In metres", options: ["Shore"] });

  expect(isFieldFound(depth, words)).toBe(isFound);
});
