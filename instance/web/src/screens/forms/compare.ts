/** What is different between two forms, and what comes of two changes to the same one. */
import type { FormField, FormGroup } from "../../questions/form";
import { type Form, fieldsOf, groupsOf } from "./form";

type Item = FormField | FormGroup;
type Part = "field" | "group";

export type Difference =
  | {
      readonly kind: "added" | "removed" | "moved";
      readonly part: Part;
      readonly id: string;
      readonly label: string;
    }
  | {
      readonly kind: "changed";
      readonly part: Part;
      readonly id: string;
      readonly label: string;
      readonly key: string;
      readonly from: unknown;
      readonly to: unknown;
    }
  | { readonly kind: "offered" | "withdrawn"; readonly accession: string };

type Flat = Readonly<Record<string, unknown>>;

const NOT_COMPARED = ["id", "order", "validation"];

/** The properties of a field or a group, with the bounds of its answers beside the others. */
function flat(item: Item): Flat {
  const { validation = {}, ...own } = { validation: undefined, ...item };
  const bounds = Object.entries(validation ?? {}).map(([key, value]) => [`validation.${key}`, value]);
  const known = Object.entries(own).filter(([key]) => !NOT_COMPARED.includes(key));
  return Object.fromEntries([...known, ...bounds]);
}

/** What stands for nothing is nothing, however it is written. */
function plain(value: unknown): unknown {
  const isNothing = value === undefined || value === false || value === "";
  return isNothing || (Array.isArray(value) && value.length === 0) ? null : value;
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(plain(one)) === JSON.stringify(plain(other));

function keysOf(...items: Flat[]): string[] {
  return [...new Set(items.flatMap((item) => Object.keys(item)))];
}

export const labelOf = (item: Item): string => ("label" in item ? item.label : item.name);

/** List what leads from one form to another, in the order of the form that it leads to. */
export function differences(from: Form, to: Form): Difference[] {
  const withdrawn = from.enabledMixsChecklists.filter((one) => !to.enabledMixsChecklists.includes(one));
  const offered = to.enabledMixsChecklists.filter((one) => !from.enabledMixsChecklists.includes(one));
  return [
    ...compared("group", groupsOf(from), groupsOf(to)),
    ...compared("field", allFields(from), allFields(to)),
    ...movedFields(from, to),
    ...offered.map((accession) => ({ kind: "offered" as const, accession })),
    ...withdrawn.map((accession) => ({ kind: "withdrawn" as const, accession })),
  ];
}

const allFields = (form: Form): FormField[] => [...fieldsOf(form, false), ...fieldsOf(form, true)];

function compared(part: Part, from: readonly Item[], to: readonly Item[]): Difference[] {
  const before = new Map(from.map((item) => [item.id, item]));
  const after = new Set(to.map(({ id }) => id));
  const found: Difference[] = [];
  for (const item of to) {
    const own = { part, id: item.id, label: labelOf(item) };
    const old = before.get(item.id);
    if (old === undefined) found.push({ ...own, kind: "added" });
    else {
      const [was, is] = [flat(old), flat(item)];
      for (const key of keysOf(was, is)) {
        if (!isSame(was[key], is[key]))
          found.push({ ...own, kind: "changed", key, from: plain(was[key]), to: plain(is[key]) });
      }
    }
  }
  const gone = from.filter(({ id }) => !after.has(id));
  const moved = part === "group" ? outOfOrder(from, to) : [];
  return [
    ...found,
    ...moved.map((item) => ({ kind: "moved" as const, part, id: item.id, label: labelOf(item) })),
    ...gone.map((item) => ({ kind: "removed" as const, part, id: item.id, label: labelOf(item) })),
  ];
}

/** The fields that stand elsewhere in their group; one that came from another group is told as that. */
function movedFields(from: Form, to: Form): Difference[] {
  return [false, true].flatMap((perSample) => {
    const before = new Map(fieldsOf(from, perSample).map((field) => [field.id, field]));
    const stayed = fieldsOf(to, perSample).filter(({ id, groupId }) => before.get(id)?.groupId === groupId);
    const ids = new Set(stayed.map(({ id }) => id));
    const was = fieldsOf(from, perSample).filter(({ id }) => ids.has(id));
    const inGroups = [...new Set(stayed.map(({ groupId }) => groupId))];
    return inGroups.flatMap((group) =>
      outOfOrder(
        was.filter(({ groupId }) => groupId === group),
        stayed.filter(({ groupId }) => groupId === group),
      ).map((field) => ({
        kind: "moved" as const,
        part: "field" as const,
        id: field.id,
        label: field.label,
      })),
    );
  });
}

/** The fewest of `to` whose move explains its order: all but a longest run that kept it. */
function outOfOrder<T extends Item>(from: readonly T[], to: readonly T[]): T[] {
  const place = new Map(from.map(({ id }, index) => [id, index]));
  const both = to.filter(({ id }) => place.has(id));
  const best: { length: number; before: number }[] = [];
  let last = -1;
  both.forEach((item, index) => {
    const own = place.get(item.id) ?? 0;
    let [length, before] = [1, -1];
    for (let earlier = 0; earlier < index; earlier += 1) {
      const other = both[earlier];
      const run = best[earlier]?.length ?? 0;
      if (other && (place.get(other.id) ?? 0) < own && run >= length) [length, before] = [run + 1, earlier];
    }
    best.push({ length, before });
    if (last === -1 || length > (best[last]?.length ?? 0)) last = index;
  });
  const kept = new Set<number>();
  for (let at = last; at !== -1; at = best[at]?.before ?? -1) kept.add(at);
  return both.filter((_, index) => !kept.has(index));
}
