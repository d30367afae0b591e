/** What of a draft is not saved yet, as it is kept in the browser. */
import type { Answers } from "./answers";
import { isRecord } from "./answers";

export interface KeptDraft {
  readonly answers: Answers;
  /** The keys of the columns, in the order of the cells. */
  readonly columns: readonly string[];
  readonly rows: readonly { readonly sampleId: string | null; readonly cells: readonly string[] }[];
  /** Samples whose rows were deleted. */
  readonly gone: readonly string[];
  readonly checklists: readonly string[] | null;
}

export function isKeptDraft(value: unknown): value is KeptDraft {
  return (
    isRecord(value) &&
    isRecord(value.answers) &&
    isTexts(value.columns) &&
    isTexts(value.gone) &&
    (value.checklists === null || isTexts(value.checklists)) &&
    Array.isArray(value.rows) &&
    value.rows.every((row) => isRecord(row) && isTexts(row.cells))
  );
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}
