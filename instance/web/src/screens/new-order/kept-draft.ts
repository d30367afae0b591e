/** What of a draft is not saved yet, as it is kept in the browser. */
import { isRecord, keyOf } from "../../questions/form";
import { asTexts, isSetAside, questionsBy, type SetAside, sorted, withMore } from "../../questions/set-aside";
import type { Answers, Order } from "./answers";
import type { Base } from "./merge";
import { ALIAS, columnsOf, type Form } from "./samples";

interface KeptRow {
  /** What was stored when it was changed; a row without one is new. */
  readonly base: Base | null;
  readonly cells: readonly string[];
  /** The columns of which nobody has decided yet whose text it is; null when it is the row itself. */
  readonly disputed: readonly (string | null)[];
}

export interface KeptRows {
  /** The keys of the columns, in the order of the cells. */
  readonly columns: readonly string[];
  readonly rows: readonly KeptRow[];
  /** Samples whose rows were deleted. */
  readonly gone: readonly string[];
}

export interface KeptDraft extends KeptRows {
  readonly answers: Answers;
  /** What was stored of these answers when they were changed. */
  readonly bases: Answers;
  readonly disputed: readonly string[];
  readonly checklists: readonly string[] | null;
  /** New rows were on their way, and may be stored. */
  readonly isUncertain: boolean;
  /** What the questions and columns of all this were called. */
  readonly labels: Readonly<Record<string, string>>;
  /** What was written for questions that are no longer asked, until somebody dismisses it. */
  readonly setAside: readonly SetAside[];
}

/** Everything that could be read on a page: of what is kept, or of more than that. */
export interface Seen {
  readonly answers: Answers;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly cells: readonly string[] }[];
}

/** What is kept, for a form that is perhaps another one: what has no place in it is set aside. */
export function fitted(kept: KeptDraft, form: Form, seen: Seen = kept): KeptDraft {
  const questions = questionsBy(form, keyOf);
  const columns = new Set(columnsOf(form).map(({ key }) => key));
  const { left } = sorted(seen.answers, questions, form.enabledMixsChecklists);
  return {
    ...kept,
    answers: sorted(kept.answers, questions, form.enabledMixsChecklists).taken,
    setAside: withMore(kept.setAside, [
      ...asTexts(left, kept.labels),
      ...cellsBeside(columns, seen, kept.labels),
    ]),
  };
}

/** Columns that are gone: a line for each sample that had something there, behind its name. */
function cellsBeside(
  columns: ReadonlySet<string>,
  { columns: keys, rows }: Seen,
  labels: KeptDraft["labels"],
): SetAside[] {
  const alias = keys.indexOf(ALIAS);
  return keys.flatMap((key, place) => {
    const filled = columns.has(key) ? [] : rows.filter(({ cells }) => (cells[place] ?? "") !== "");
    const lines = filled.map(({ cells }) => [cells[alias], cells[place]].filter(Boolean).join("\t"));
    return lines.length === 0 ? [] : [{ label: labels[key] ?? key, text: lines.join("\n") }];
  });
}

/** The name under which a draft is kept. */
export function recordOf(order: Order | null): string {
  return `order:${order?.id ?? "new"}`;
}

export function isKeptDraft(value: unknown): value is KeptDraft {
  return (
    isRecord(value) &&
    isRecord(value.answers) &&
    isRecord(value.bases) &&
    isTexts(value.disputed) &&
    typeof value.isUncertain === "boolean" &&
    isRecord(value.labels) &&
    Object.values(value.labels).every((label) => typeof label === "string") &&
    isSetAside(value.setAside) &&
    isTexts(value.columns) &&
    isTexts(value.gone) &&
    (value.checklists === null || isTexts(value.checklists)) &&
    Array.isArray(value.rows) &&
    value.rows.every(isRow)
  );
}

function isRow(value: unknown): value is KeptRow {
  return (
    isRecord(value) &&
    isTexts(value.cells) &&
    (value.base === null || isBase(value.base)) &&
    Array.isArray(value.disputed) &&
    value.disputed.every((key) => key === null || typeof key === "string")
  );
}

function isBase(value: unknown): value is Base {
  return (
    isRecord(value) &&
    typeof value.sampleId === "string" &&
    typeof value.updatedAt === "string" &&
    isTexts(value.cells)
  );
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}
