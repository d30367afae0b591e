/** What a form that changed under an open order means for it. */
import type { Column } from "../../grid/table";
import { keyOf } from "../../questions/form";
import { type FormNews, newsOf, questionsBy } from "../../questions/set-aside";
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

/** What an order is asked now and was not before, with what was news already. */
export function orderNews(before: OfForm, now: OfForm, known: FormNews | null): FormNews {
  const questions = newsOf(questionsBy(before.form, keyOf), questionsBy(now.form, keyOf), known);
  const byKey = ({ columns }: OfForm) => new Map(columns.map((column) => [column.key, column]));
  return newsOf(byKey(before), byKey(now), questions);
}
