/** Columns of the questions of a form, and what their texts are as values of the API. */
import type { components } from "../api/schema";
import type { Column, Kind } from "./table";

export type FormField = components["schemas"]["instance.form-schema"]["fields"][number];

const KINDS: Partial<Record<FormField["type"], Kind>> = {
  textarea: "longText",
  select: "select",
  multiselect: "multiselect",
  checkbox: "checkbox",
  number: "number",
  date: "date",
  barcode: "barcode",
};

export function formColumn(field: FormField): Column {
  const bounds = field.validation;
  return {
    key: field.name,
    label: field.label,
    names: [field.name],
    kind: KINDS[field.type] ?? "text",
    options: field.options,
    required: field.required,
    isUnique: false,
    unit: field.units?.length === 1 ? field.units[0] : undefined,
    help: field.helpText,
    pattern: bounds?.pattern,
    patternMessage: bounds?.patternMessage,
    min: bounds?.min,
    max: bounds?.max,
    minLength: bounds?.minLength,
    maxLength: bounds?.maxLength,
  };
}

export function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(textOf).join("; ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Return the value that a text stands for; what is not understood goes as it is, and the server says why. */
export function valueFor(kind: Kind, cell: string): unknown {
  if (cell === "") return null;
  if (kind === "number") return Number.isFinite(Number(cell)) ? Number(cell) : cell;
  if (kind === "checkbox") return cell === "yes" ? true : cell === "no" ? false : cell;
  if (kind === "multiselect") return cell.split(";").map((part) => part.trim());
  return cell;
}
