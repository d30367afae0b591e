/** The answers of an order: those that have a column, and those of the form's own questions. */
import type { components } from "../../api/schema";
import { readAlone } from "../../grid/numbers";
import { type FormField, keyOf } from "../../questions/form";
import { type Form, valueFor } from "./samples";

export type Order = components["schemas"]["instance.order"]["order"];
export type OrderBody = components["schemas"]["instance.requests.order"];

/** Values by the name of their question; what is null or missing is not answered. */
export type Answers = Readonly<Record<string, unknown>>;

export function answersOf(order: Order, form: Form): Answers {
  const { name, platform, libraryStrategy, librarySource } = order;
  const columns: Answers = { name, platform, libraryStrategy, librarySource };
  const entries = form.fields
    .filter(({ perSample }) => !perSample)
    .map((field) => [
      keyOf(field),
      field.systemKey === undefined ? order.customFields[field.name] : columns[field.systemKey],
    ]);
  return Object.fromEntries(entries);
}

export function defaultsOf(form: Form): Answers {
  return Object.fromEntries(
    form.fields
      .filter(({ perSample, visible, defaultValue }) => !perSample && visible && defaultValue !== undefined)
      .map((field) => [keyOf(field), field.defaultValue]),
  );
}

/** Return what changed as the API takes it. */
export function bodyOfAnswers(form: Form, answers: Answers, changed: ReadonlySet<string>): OrderBody {
  const customFields: Record<string, unknown> = {};
  const body: OrderBody = {};
  for (const field of form.fields) {
    const key = keyOf(field);
    if (field.perSample || !changed.has(key)) continue;
    const value = answers[key] ?? null;
    const word = typeof value === "string" ? value : "";
    if (field.systemKey === "name") body.name = word;
    else if (field.systemKey === "platform") body.platform = word;
    else if (field.systemKey === "libraryStrategy") body.libraryStrategy = word;
    else if (field.systemKey === "librarySource") body.librarySource = word;
    else if (field.systemKey === undefined) customFields[field.name] = stored(field, value);
  }
  return Object.keys(customFields).length === 0 ? body : { ...body, customFields };
}

function stored({ type, units }: FormField, value: unknown): unknown {
  if (type !== "number" || typeof value !== "string") return value;
  return valueFor("number", readAlone(value, units?.length === 1 ? units[0] : undefined, navigator.language));
}
