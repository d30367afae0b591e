/** What a form asks of an order, in the order in which it is asked. */
import type { components } from "../api/schema";
import type { FormField } from "../grid/form-columns";

export type { FormField };
export type FormGroup = components["schemas"]["instance.form-schema"]["groups"][number];

/** A form as far as what it asks goes: as it is filled in, or as it is made. */
export interface Asked {
  readonly fields: readonly FormField[];
  readonly groups: readonly FormGroup[];
}

/** The path of an answer in the API; the names of columns stand alone. */
export function pathOf(field: FormField): string {
  return field.systemKey ?? `customFields.${field.name}`;
}

export function keyOf(field: FormField): string {
  return field.systemKey ?? field.name;
}

/** The questions of an order by group, in the order of the form; questions without a group come last. */
export function questionsOf(form: Asked): { name: string; fields: FormField[] }[] {
  const asked = form.fields
    .filter(({ visible, perSample }) => visible && !perSample)
    .toSorted((one, other) => one.order - other.order);
  const known = form.groups.toSorted((one, other) => one.order - other.order);
  const grouped = known.map(({ id, name }) => ({
    name,
    fields: asked.filter(({ groupId }) => groupId === id),
  }));
  const rest = asked.filter(({ groupId }) => !known.some(({ id }) => id === groupId));
  return [...grouped, { name: "", fields: rest }].filter(({ fields }) => fields.length > 0);
}

export function isAnswered(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== "object" || Object.values(value).some(isAnswered);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
