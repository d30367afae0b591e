/** A form that is being made: what may be done to it, each a new form. */
import type { Asked, FormField, FormGroup } from "../../questions/form";

/** What is saved of a form. */
export interface Form extends Asked {
  readonly enabledMixsChecklists: readonly string[];
}

/** Where a field stands: among the questions of a group, or among the columns of the samples. */
export interface Lane {
  readonly groupId: string | null;
  readonly perSample: boolean;
}

/** The groups in their order; null stands for what is in none and comes last. */
export function groupIds({ groups }: Asked): (string | null)[] {
  return [...groupsOf({ groups }).map(({ id }) => id), null];
}

export function groupsOf({ groups }: Pick<Asked, "groups">): FormGroup[] {
  return groups.toSorted((one, other) => one.order - other.order);
}

/** The fields of one level as they are asked. */
export function fieldsOf(form: Asked, perSample: boolean): FormField[] {
  const known = groupIds(form);
  const place = ({ groupId }: FormField): number => {
    const found = known.indexOf(groupId);
    return found === -1 ? known.length : found;
  };
  return form.fields
    .filter((field) => field.perSample === perSample)
    .toSorted((one, other) => place(one) - place(other) || one.order - other.order);
}

export function laneOf(form: Asked, { groupId, perSample }: Lane): FormField[] {
  return fieldsOf(form, perSample).filter((field) => field.groupId === groupId);
}

export function findField(form: Asked, id: string | null): FormField | undefined {
  return form.fields.find((field) => field.id === id);
}

export function withField(form: Form, field: FormField): Form {
  return { ...form, fields: form.fields.map((one) => (one.id === field.id ? field : one)) };
}

/** What of a question is to be another one; undefined takes it away. */
export type Change = { readonly [K in keyof FormField]?: FormField[K] | undefined };

/** Change a question, and leave out what is not set, as the service does. */
export function changed(field: FormField, change: Change): FormField {
  const kept = Object.entries({ ...field, ...change }).filter(
    ([key, value]) => value !== undefined && (value !== "" || key === "label" || key === "name"),
  );
  return Object.fromEntries(kept) as unknown as FormField;
}

export function withoutField(form: Form, id: string): Form {
  return { ...form, fields: form.fields.filter((field) => field.id !== id) };
}

/** Put a field before another one of its lane, or at its end; the lane may be another than before. */
export function placed(form: Form, moved: FormField, lane: Lane, beforeId: string | null): Form {
  const { groupId, perSample } = lane;
  const rest = laneOf(form, lane).filter(({ id }) => id !== moved.id);
  const found = rest.findIndex(({ id }) => id === beforeId);
  const at = found === -1 ? rest.length : found;
  const order = [...rest.slice(0, at), moved, ...rest.slice(at)];
  const numbers = new Map(order.map(({ id }, place) => [id, place]));
  const fields = form.fields.some(({ id }) => id === moved.id) ? form.fields : [...form.fields, moved];
  return {
    ...form,
    fields: fields.map((field) => {
      const number = numbers.get(field.id);
      if (number === undefined) return field;
      return field.id === moved.id
        ? { ...moved, groupId, perSample, order: number }
        : { ...field, order: number };
    }),
  };
}

/** Move a field one place; at the edge of its group it enters the next one. The same form when it can't go on. */
export function stepped(form: Form, id: string, step: 1 | -1): Form {
  const field = findField(form, id);
  if (field === undefined) return form;
  const lane = laneOf(form, field);
  const place = lane.findIndex((one) => one.id === id);
  const beside = lane[place + step];
  if (beside !== undefined) {
    const before = step === -1 ? beside.id : (lane[place + 2]?.id ?? null);
    return placed(form, field, field, before);
  }
  const groupId = groupBeside(form, field, step);
  if (groupId === undefined) return form;
  const next = { groupId, perSample: field.perSample };
  return placed(form, field, next, step === 1 ? (laneOf(form, next)[0]?.id ?? null) : null);
}

/** Columns have no headings: they enter the group of the column beside them, questions the next heading. */
function groupBeside(form: Form, field: FormField, step: 1 | -1): string | null | undefined {
  if (field.perSample) {
    const all = fieldsOf(form, true);
    return all[all.findIndex(({ id }) => id === field.id) + step]?.groupId;
  }
  const ids = groupIds(form);
  const place = ids.indexOf(field.groupId) + step;
  return place < 0 ? undefined : ids[place];
}

export function withGroup(form: Form, group: FormGroup): Form {
  const isKnown = form.groups.some(({ id }) => id === group.id);
  return {
    ...form,
    groups: isKnown
      ? form.groups.map((one) => (one.id === group.id ? group : one))
      : [...form.groups, { ...group, order: form.groups.length }],
  };
}

/** Take a group away; its fields stay, in no group. */
export function withoutGroup(form: Form, id: string): Form {
  const fields = form.fields.map((field) => (field.groupId === id ? { ...field, groupId: null } : field));
  return { ...form, fields, groups: numbered(groupsOf(form).filter((group) => group.id !== id)) };
}

export function steppedGroup(form: Form, id: string, step: 1 | -1): Form {
  const order = groupsOf(form);
  const place = order.findIndex((group) => group.id === id);
  const [group, beside] = [order[place], order[place + step]];
  if (group === undefined || beside === undefined) return form;
  order[place] = beside;
  order[place + step] = group;
  return { ...form, groups: numbered(order) };
}

function numbered(groups: readonly FormGroup[]): FormGroup[] {
  return groups.map((group, order) => ({ ...group, order }));
}

const newId = (): string => `f-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;

/** Make a question at the end of a lane; its name, under which answers are stored, is one that is free. */
export function newField(form: Form, lane: Lane, label: string): FormField {
  return {
    id: newId(),
    name: freeName(form, label),
    type: "text",
    label,
    options: [],
    required: false,
    visible: true,
    order: laneOf(form, lane).length,
    groupId: lane.groupId,
    perSample: lane.perSample,
  };
}

export function newGroup(name: string): FormGroup {
  return { id: newId(), name, icon: "", order: 0 };
}

const MAX_NAME = 60;

/** Write a label as a name: `Depth of water (m)` is `depthOfWaterM`, and `depthOfWaterM2` where that is taken. */
export function freeName(form: Asked, label: string, ownId?: string): string {
  const words = label.normalize("NFKD").match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words
    .map((word, place) => (place === 0 ? lowered(word) : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("")
    .slice(0, MAX_NAME);
  const name = /^[A-Za-z]/.test(joined) ? joined : `field${joined}`;
  const taken = new Set(form.fields.filter(({ id }) => id !== ownId).map((field) => field.name));
  let number = 1;
  while (taken.has(number === 1 ? name : `${name}${number}`)) number += 1;
  return number === 1 ? name : `${name}${number}`;
}

/** `PCR` stays as it is, `Depth` becomes `depth`. */
function lowered(word: string): string {
  return word === word.toUpperCase() && word.length > 1 ? word : word.charAt(0).toLowerCase() + word.slice(1);
}
