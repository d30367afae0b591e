import { expect, it } from "vitest";
import { changedValues, fieldsOf, grouped, readValue, written } from "../../src/parts/schema-form/schema";

const SCHEMA = {
  type: "object",
  properties: {
    layout: { type: "string", enum: ["paired", "single"], default: "paired", title: "Layout" },
    minLength: { type: "integer", minimum: 1, maximum: 1000, "x-unit": "bases", default: 50 },
    share: { type: "number", exclusiveMaximum: 1 },
    trim: { type: "boolean", title: "Trim", description: "Cuts ends." },
    database: { type: "string", "x-group": "Reference" },
    steps: { type: "array", items: { type: "string" } },
  },
  required: ["share"],
};

it("reads a schema as fields with their kinds, in its order", () => {
  const fields = fieldsOf(SCHEMA);

  expect(fields.map(({ key, kind }) => [key, kind])).toEqual([
    ["layout", "choice"],
    ["minLength", "whole"],
    ["share", "number"],
    ["trim", "switch"],
    ["database", "text"],
    ["steps", "json"],
  ]);
  expect(fields[1]).toMatchObject({ label: "minLength", unit: "bases", least: 1, most: 1000, preset: 50 });
  expect(fields[2]).toMatchObject({ most: 1, isRequired: true });
  expect(fields[3]).toMatchObject({ label: "Trim", help: "Cuts ends." });
  expect(grouped(fields).map(({ title, fields: of }) => [title, of.length])).toEqual([
    [null, 5],
    ["Reference", 1],
  ]);
});

it("takes the groups that a schema makes of its definitions", () => {
  const schema = {
    $defs: { trimming: { title: "Trimming", properties: { quality: { type: "integer" } } } },
    allOf: [{ $ref: "#/$defs/trimming" }, { $ref: "https://elsewhere.example/schema" }],
  };

  expect(fieldsOf(schema)).toMatchObject([{ key: "quality", group: "Trimming", kind: "whole" }]);
});

it.each([null, "text", 3, [], {}, { properties: 7 }, { properties: { a: true } }])(
  "makes no field of %j",
  (schema) => {
    expect(fieldsOf(schema)).toEqual([]);
  },
);

it("sends only what differs from its default, whatever was typed meanwhile", () => {
  const fields = fieldsOf(SCHEMA);
  const defaults = { minLength: 60, trim: false };
  const typed = {
    layout: '"single"',
    minLength: "60",
    share: "0,5",
    trim: "false",
    database: "",
    steps: '["a"]',
  };

  expect(changedValues(fields, defaults, typed)).toEqual({ layout: "single", share: 0.5, steps: ["a"] });
  expect(changedValues(fields, defaults, {})).toEqual({});
  expect(changedValues(fields, defaults, { layout: '"paired"', minLength: "", trim: "true" })).toEqual({
    trim: true,
  });
});

it("leaves what is no number to the server", () => {
  expect(readValue({ kind: "whole" }, "many")).toBe("many");
  expect(readValue({ kind: "number" }, " 1.5 ")).toBe(1.5);
  expect(readValue({ kind: "number" }, "1e999")).toBe("1e999");
  expect(readValue({ kind: "json" }, "[1,")).toBe("[1,");
});

it("writes a value as it stands in its control", () => {
  expect(written("choice", "single")).toBe('"single"');
  expect(written("whole", 5)).toBe("5");
  expect(written("switch", true)).toBe("true");
  expect(written("text", undefined)).toBe("");
  expect(written("json", [1])).toBe("[1]");
});
