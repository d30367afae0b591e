import type { components } from "../../api/schema";
import { type ValueChange, valueChanges } from "../../registry-updates/differences";

type Schemas = components["schemas"];
type Change = Schemas["instance.catalog-parts.CatalogItemChange"];
export type Standing = Schemas["instance.catalog-parts.ItemStanding"];
export type Origin = NonNullable<Standing["origin"]>;

export const COLLECTIONS = [
  "technologies",
  "devices",
  "flowCells",
  "kits",
  "software",
  "barcodeSchemes",
  "barcodeSets",
] as const satisfies readonly Change["collection"][];
export type Collection = (typeof COLLECTIONS)[number];

/** One entry of the catalog; the keys beside its id are those of its collection, and any other. */
export type Item = Readonly<Record<string, unknown>> & { readonly id: string };
export type Items = Readonly<Record<Collection, readonly Item[]>>;

/** Entries that a value names by their ids. */
export const NAMED: Readonly<Record<string, Collection>> = {
  platformId: "technologies",
  schemeId: "barcodeSchemes",
  compatibleFlowCells: "flowCells",
  compatibleKits: "kits",
  compatibleSoftware: "software",
};

export const nameOf = ({ id, name }: Item): string => (typeof name === "string" && name !== "" ? name : id);

/** Whether both are the same in every value. */
export const isSame = (one: Item | null, other: Item | null): boolean =>
  one === null || other === null ? one === other : valueChanges(one, other, String).length === 0;

const SEARCHED = ["id", "name", "manufacturer", "sku", "category", "shortDescription", "description"];

/** Whether every word of a search stands in what an entry says of itself. */
export function isFound(item: Item, words: string): boolean {
  const said = SEARCHED.map((key) => item[key])
    .filter((value) => typeof value === "string")
    .join(" ")
    .toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}

/** The other entries that name this one by its id. */
export function naming(items: Items, { id }: Item): Item[] {
  const holds = (value: unknown): boolean =>
    value === id || (typeof value === "object" && value !== null && Object.values(value).some(holds));
  return COLLECTIONS.flatMap((collection) =>
    items[collection].filter((one) => one.id !== id && Object.values(one).some(holds)),
  );
}

type Json = Readonly<Record<string, unknown>>;

const isLabelled = (value: unknown): value is Json & { label: string } =>
  typeof value === "object" && value !== null && "label" in value && typeof value.label === "string";

const isSaid = (value: unknown): value is Json & { text: string } =>
  typeof value === "object" && value !== null && "text" in value && typeof value.text === "string";

/** A figure or a remark as people write it: `Run time: 9.5-19 h`. */
function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (isLabelled(value)) return `${value.label}: ${measure(value)}`;
  return isSaid(value) ? value.text : value;
}

const measure = ({ value, unit }: Json): string => [value, unit].filter(Boolean).join(" ");

/** The lines of a value in a list of facts; an id of another entry is its name. */
export function linesOf(key: string, value: unknown, items: Items): unknown[] {
  const others = NAMED[key];
  const named = (one: unknown): unknown => {
    const other = others && items[others].find(({ id }) => id === one);
    return other ? nameOf(other) : readable(one);
  };
  return Array.isArray(value) ? value.map(named) : [named(value)];
}

/** One field that differs, in as few words as tell it: of figures those that are others. */
export function partsOf(
  { key, before, after, kept }: Change["fields"][number],
  labelOf: (key: string) => string,
): ValueChange[] {
  const label = labelOf(key);
  if (Array.isArray(before) && Array.isArray(after) && [...before, ...after].every(isLabelled)) {
    const figures = valueChanges(byLabel(before), byLabel(after), (name) => `${label}, ${name}`);
    if (figures.length > 0) return figures.map((figure) => ({ ...figure, isKept: kept }));
  }
  return [{ label, before: readable(before), after: readable(after), isKept: kept }];
}

const byLabel = (figures: readonly unknown[]): Json =>
  Object.fromEntries(figures.filter(isLabelled).map((figure) => [figure.label, measure(figure)]));
