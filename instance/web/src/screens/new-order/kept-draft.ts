/** What of a draft is not saved yet, as it is kept in the browser. */
import { isRecord } from "../../questions/form";
import type { Answers, Order } from "./answers";
import type { Base } from "./merge";

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
