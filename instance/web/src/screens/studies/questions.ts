/** What the form of studies asks of a study, and its answers. */
import { valueFor } from "../../grid/form-columns";
import type { FormField } from "../../questions/form";
import type { StudyForm } from "./state";

export type Answers = Readonly<Record<string, unknown>>;

export const pathOf = ({ name }: FormField): string => `metadata.${name}`;

/** What is asked of a study beside its title; its checklist is chosen apart from the questions. */
export function askedOf(form: StudyForm): FormField[] {
  return form.studyFields
    .filter(({ visible, type }) => visible && type !== "mixs")
    .toSorted((one, other) => one.order - other.order);
}

/** Write answers as the API takes them; numbers were typed as text. */
export function metadataOf(form: StudyForm, answers: Answers): Record<string, unknown> {
  const asked = askedOf(form).filter(({ name }) => Object.hasOwn(answers, name));
  return Object.fromEntries(
    asked.map(({ name, type }) => {
      const value = answers[name];
      return [name, type === "number" && typeof value === "string" ? valueFor("number", value) : value];
    }),
  );
}
