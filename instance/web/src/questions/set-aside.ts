/** What was written for questions that a form does not ask any more, or asks so that it can't be shown. */
import { type Asked, type FormField, isAnswered, isRecord, questionsOf } from "./form";

/** A text that has no place in the form any more, under the name that its question had. */
export interface SetAside {
  readonly label: string;
  readonly text: string;
}

/** What a change of the form under an open page did: new questions by their labels. */
export interface FormNews {
  readonly added: readonly string[];
}

type Answers = Readonly<Record<string, unknown>>;
type Questions = ReadonlyMap<string, FormField>;
/** Questions and columns by their keys. */
type Named = ReadonlyMap<string, { readonly label: string }>;

export function questionsBy(form: Asked, keyOf: (field: FormField) => string): Questions {
  return new Map(questionsOf(form).flatMap(({ fields }) => fields.map((field) => [keyOf(field), field])));
}

/** Whether the control of a question shows an answer; one that would stand there unseen is not shown. */
export function isShown(
  { type, options }: FormField,
  value: unknown,
  checklists: readonly string[],
): boolean {
  switch (type) {
    case "select":
      return typeof value === "string" && options.includes(value);
    case "multiselect":
      return Array.isArray(value) && value.every((one) => options.includes(one));
    case "checkbox":
      return typeof value === "boolean";
    case "number":
      return typeof value === "number" || (typeof value === "string" && Number.isFinite(Number(value)));
    case "date":
      return typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value);
    case "mixs":
      return isRecord(value) && typeof value.checklist === "string" && checklists.includes(value.checklist);
    case "billing":
    case "sequencing-tech":
      return isRecord(value);
    case "funding":
      return Array.isArray(value) && value.every(isRecord);
    default:
      return typeof value === "string" || typeof value === "number";
  }
}

/** The answers that have a question which shows them, and those that have none. */
export function sorted(
  answers: Answers,
  questions: Questions,
  checklists: readonly string[] = [],
): { taken: Answers; left: Answers } {
  const isTaken = ([key, value]: [string, unknown]): boolean => {
    const question = questions.get(key);
    return question !== undefined && (!isAnswered(value) || isShown(question, value, checklists));
  };
  const entries = Object.entries(answers);
  return {
    taken: Object.fromEntries(entries.filter(isTaken)),
    left: Object.fromEntries(entries.filter((entry) => isAnswered(entry[1]) && !isTaken(entry))),
  };
}

/** Answers as texts under the labels of their questions. */
export function asTexts(answers: Answers, labels: Readonly<Record<string, string>>): SetAside[] {
  return Object.entries(answers).map(([key, value]) => ({ label: labels[key] ?? key, text: inWords(value) }));
}

/** Both lists; what both have is there once. */
export function withMore(known: readonly SetAside[], more: readonly SetAside[]): readonly SetAside[] {
  const isKnown = (one: SetAside): boolean =>
    known.some(({ label, text }) => label === one.label && text === one.text);
  return [...known, ...more.filter((one) => !isKnown(one))];
}

export function isSetAside(value: unknown): value is SetAside[] {
  return (
    Array.isArray(value) &&
    value.every((one) => isRecord(one) && typeof one.label === "string" && typeof one.text === "string")
  );
}

/** News of what `now` asks and `before` did not, with what was news already. */
export function newsOf(before: Named, now: Named, known: FormNews | null): FormNews {
  const added = [...now].filter(([key]) => !before.has(key)).map(([, { label }]) => label);
  return { added: [...new Set([...(known?.added ?? []), ...added])] };
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(inWords).join("\n");
  if (isRecord(value)) return Object.values(value).filter(isAnswered).map(inWords).join(", ");
  return String(value);
}
