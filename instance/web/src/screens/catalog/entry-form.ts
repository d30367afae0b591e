import { rowsIn, rowsText, valueOfRows } from "./entry-rows";
import { type Collection, type Item, NAMED } from "./items";

/** An entry of the catalog as fields of a form. What no field holds is edited as JSON. */

export type Kind = "text" | "long" | "whole" | "switch" | "lines" | "choice" | "entry" | "rows";

export interface EntryField {
  readonly key: string;
  readonly kind: Kind;
}

const field = (kind: Kind, ...keys: string[]): EntryField[] => keys.map((key) => ({ key, kind }));

export const READ_LENGTHS = ["short", "long", "both", "unknown"] as const;

export const FIELDS: Readonly<Record<Collection, readonly EntryField[]>> = {
  technologies: [
    ...field("text", "name", "manufacturer", "platformFamily"),
    ...field("long", "shortDescription"),
    ...field("choice", "readLengthClass"),
    ...field("lines", "supportedReadLayouts", "bestFor"),
    ...field("rows", "specs", "pros", "cons"),
    ...field("switch", "comingSoon"),
    ...field("whole", "order"),
  ],
  devices: [
    ...field("text", "name", "manufacturer"),
    ...field("entry", "platformId"),
    ...field("long", "shortDescription", "productOverview"),
    ...field("rows", "specs"),
    ...field("lines", "compatibleFlowCells", "compatibleKits", "compatibleSoftware"),
    ...field("switch", "comingSoon"),
    ...field("whole", "order"),
  ],
  flowCells: [
    ...field("text", "name", "sku", "category", "chemistry", "maxOutput", "maxRead"),
    ...field("whole", "maxReads", "channelCount"),
    ...field("long", "description"),
    ...field("whole", "order"),
  ],
  kits: [
    ...field("text", "name", "sku", "category", "kitKind", "inputType", "basecallerKitName"),
    ...field("long", "description"),
    ...field("switch", "multiplexing"),
    ...field("whole", "barcodeCount", "order"),
  ],
  software: [
    ...field("text", "name", "category", "version", "downloadUrl"),
    ...field("long", "description"),
    ...field("whole", "order"),
  ],
  barcodeSchemes: [
    ...field("text", "name", "chemistry"),
    ...field("long", "description"),
    ...field("whole", "order"),
  ],
  barcodeSets: [
    ...field("text", "name"),
    ...field("entry", "schemeId"),
    ...field("whole", "count"),
    ...field("lines", "barcodeRange"),
    ...field("whole", "order"),
  ],
};

/** Which entries a field chooses from. */
export const choicesOf = ({ key }: EntryField): Collection => NAMED[key] ?? "technologies";

/** Where everything stands that has no field. */
export const REST = "rest";
const APART = ["id", "available", "localOverrides"];

/** What stands in the controls, by key. */
export type Typed = Readonly<Record<string, string>>;

export function typedOf(collection: Collection, item: Item | null): Typed {
  const fields = FIELDS[collection];
  const texts = fields.map((one) => [one.key, written(one, item?.[one.key])]);
  const rest = restOf(collection, item);
  return Object.fromEntries([
    ...texts,
    [REST, Object.keys(rest).length === 0 ? "" : JSON.stringify(rest, null, 2)],
  ]);
}

function restOf(collection: Collection, item: Item | null): Record<string, unknown> {
  const known = new Set([...APART, ...FIELDS[collection].map(({ key }) => key)]);
  return Object.fromEntries(Object.entries(item ?? {}).filter(([key]) => !known.has(key)));
}

function written({ key, kind }: EntryField, value: unknown): string {
  if (kind === "rows") return rowsText(rowsIn(key, value));
  if (kind === "switch") return String(value === true);
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.join("\n");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The rest as it was typed; null when it is no JSON object. */
export function readRest(text: string): Record<string, unknown> | null {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/**
 * The entry with what was typed, which a sync leaves as it is. What nobody touched stays to the letter,
 * and what is no number stays the text that it is.
 */
export function itemWith(collection: Collection, base: Item, typed: Typed): Item {
  const before = typedOf(collection, base);
  const next: Record<string, unknown> = { ...base };
  for (const one of FIELDS[collection]) {
    const { key } = one;
    const text = typed[key] ?? "";
    if (text === before[key]) continue;
    const value = read(one, text);
    if (value === undefined) delete next[key];
    else next[key] = value;
  }
  const rest = typed[REST] ?? "";
  if (rest !== before[REST]) {
    for (const key of Object.keys(restOf(collection, base))) delete next[key];
    Object.assign(next, readRest(rest));
  }
  return { ...next, id: base.id, localOverrides: true };
}

function read({ key, kind }: EntryField, text: string): unknown {
  if (kind === "rows") return valueOfRows(key, text);
  const plain = text.trim();
  if (kind === "switch") return text === "true";
  if (plain === "") return undefined;
  if (kind === "whole") return Number.isFinite(Number(plain)) ? Number(plain) : plain;
  if (kind !== "lines") return plain;
  return plain
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
