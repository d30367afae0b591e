/** A JSON Schema of settings, read as fields of a form. What is allowed is the server's to say. */

export type Kind = "switch" | "choice" | "whole" | "number" | "text" | "json";

export interface SchemaField {
  key: string;
  label: string;
  help: string | null;
  /** The heading under which it stands; null for those that come first. */
  group: string | null;
  unit: string | null;
  kind: Kind;
  /** Of a choice: the values, as they are sent. */
  choices: readonly unknown[];
  least: number | null;
  most: number | null;
  isRequired: boolean;
  /** The default of the schema itself; undefined where it names none. */
  preset: unknown;
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** The fields of a schema in its own order: its own ones first, then those of each group of `allOf`. */
export function fieldsOf(schema: unknown): SchemaField[] {
  if (!isObject(schema)) return [];
  const parts = [schema, ...(Array.isArray(schema.allOf) ? schema.allOf : [])].map((part, place) => ({
    part: resolved(schema, part),
    isRoot: place === 0,
  }));
  const found = new Map<string, SchemaField>();
  for (const { part, isRoot } of parts) {
    const required = Array.isArray(part.required) ? part.required : [];
    for (const [key, one] of Object.entries(isObject(part.properties) ? part.properties : {})) {
      if (!isObject(one) || found.has(key)) continue;
      const group = textOf(one["x-group"]) ?? (isRoot ? null : textOf(part.title));
      found.set(key, fieldOf(key, resolved(schema, one), group, required.includes(key)));
    }
  }
  return [...found.values()];
}

const LOCAL = /^#\/(\$defs|definitions)\/([^/]+)$/;

/** Follow one reference within the document; any other is the part itself. */
function resolved(schema: Json, part: unknown): Json {
  if (!isObject(part)) return {};
  const [, place, name] = LOCAL.exec(String(part.$ref)) ?? [];
  const defined = place === undefined ? null : schema[place];
  const found = isObject(defined) && name !== undefined ? defined[name] : null;
  return isObject(found) ? { ...found, ...part } : part;
}

function fieldOf(key: string, one: Json, group: string | null, isRequired: boolean): SchemaField {
  return {
    key,
    label: textOf(one.title) ?? key,
    help: textOf(one.description),
    group,
    unit: textOf(one["x-unit"]) ?? textOf(one.unit),
    kind: kindOf(one),
    choices: Array.isArray(one.enum) ? one.enum : [],
    least: numberOf(one.minimum) ?? numberOf(one.exclusiveMinimum),
    most: numberOf(one.maximum) ?? numberOf(one.exclusiveMaximum),
    isRequired,
    preset: one.default,
  };
}

const KINDS: Readonly<Record<string, Kind>> = {
  boolean: "switch",
  integer: "whole",
  number: "number",
  string: "text",
};

function kindOf({ type, enum: choices }: Json): Kind {
  if (Array.isArray(choices)) return "choice";
  return (typeof type === "string" && KINDS[type]) || "json";
}

/** A value as it stands in its control; what there is no value for is empty. */
export function written(kind: Kind, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (kind === "json" || kind === "choice") return JSON.stringify(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * Read what stands in a control; undefined is no value.
 *
 * What is no number stays the text that it is, so that the server says in its own words what it wants.
 */
export function readValue({ kind }: Pick<SchemaField, "kind">, text: string): unknown {
  const plain = text.trim();
  if (kind === "text") return text === "" ? undefined : text;
  if (plain === "") return undefined;
  if (kind === "switch") return plain === "true";
  if (kind === "whole" || kind === "number") {
    const number = Number(plain.replace(",", "."));
    return Number.isFinite(number) ? number : plain;
  }
  try {
    return JSON.parse(plain);
  } catch {
    return plain;
  }
}

/** What was typed, by key; a key that is missing has its default. */
export type Typed = Readonly<Record<string, string>>;

/** The value that holds when nothing is typed. */
export const presetOf = (field: SchemaField, defaults: Json): unknown =>
  Object.hasOwn(defaults, field.key) ? defaults[field.key] : field.preset;

export function isChanged(field: SchemaField, defaults: Json, typed: Typed): boolean {
  const text = typed[field.key];
  if (text === undefined) return false;
  const value = readValue(field, text);
  return value !== undefined && JSON.stringify(value) !== JSON.stringify(presetOf(field, defaults));
}

/** Only what differs from its default: that alone is sent. */
export function changedValues(fields: readonly SchemaField[], defaults: Json, typed: Typed): Json {
  return Object.fromEntries(
    fields
      .filter((field) => isChanged(field, defaults, typed))
      .map((field) => [field.key, readValue(field, typed[field.key] ?? "")]),
  );
}

/** Fields under their headings, in the order of the first field of each; those without one come first. */
export function grouped(fields: readonly SchemaField[]): { title: string | null; fields: SchemaField[] }[] {
  const groups = Map.groupBy(fields, ({ group }) => group);
  return [...groups]
    .map(([title, of]) => ({ title, fields: of }))
    .toSorted((one, other) => Number(one.title !== null) - Number(other.title !== null));
}
