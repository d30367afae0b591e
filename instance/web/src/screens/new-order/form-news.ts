/** What a form that changed under an open order means for it. */
import type { Column } from "../../grid/table";
import { keyOf } from "../../questions/form";
import { addedQuestions, type FormNews, questionsBy } from "../../questions/set-aside";
import type { Form } from "./samples";

interface OfForm {
  readonly form: Form;
  readonly columns: readonly Column[];
}

/** What questions and columns are called, by their keys. */
export function labelsOf({ form, columns }: OfForm): Record<string, string> {
  const questions = [...questionsBy(form, keyOf)].map(([key, { label }]) => [key, label]);
  return Object.fromEntries([...columns.map(({ key, label }) => [key, label]), ...questions]);
}

/** What is asked now and was not before, with what was news already. */
export function newsOf(before: OfForm, now: OfForm, known: FormNews | null): FormNews {
  const added = addedQuestions(questionsBy(before.form, keyOf), questionsBy(now.form, keyOf));
  const columns = new Set(before.columns.map(({ key }) => key));
  const more = now.columns.filter(({ key }) => !columns.has(key)).map(({ label }) => label);
  return { added: [...new Set([...(known?.added ?? []), ...added, ...more])] };
}
