import type { Reason } from "../../grid/hints";
import type { Guess } from "../../grid/numbers";
import { count, counted } from "../format";

/** What the grid says. */
export const text = {
  row: "Row",
  rowNumber: (row: number): string => `Row ${count(row)}`,
  keys: "Type to edit, Enter to go on, Escape then Tab to leave. Paste a table from any spreadsheet.",
  addRows: "Add 10 rows",
  undo: "Undo",
  redo: "Redo",
  nothingToUndo: "Nothing has been changed yet",
  nothingToRedo: "Nothing has been undone",
  tools: (label: string): string => `Tools for ${label}`,
  fillDown: "Fill down",
  series: "Series",
  seriesTitle: "Fill with a series",
  seriesFirst: "First value",
  seriesLast: "Last value",
  seriesHelp: "From lake-1 to lake-96, for example. Rows are added where they are missing.",
  seriesUnclear: "These two values have no series between them.",
  seriesFill: (values: number): string => `Fill ${counted(values, "cell", "cells")}`,
  rowsMenu: "Rows",
  duplicate: "Duplicate rows",
  remove: "Delete rows",
  sortUp: "Sort A to Z",
  sortDown: "Sort Z to A",
  find: "Find",
  findTitle: "Find and replace",
  findText: "Find",
  replaceText: "Replace with",
  matchCase: "Match case",
  wholeCell: "Whole cells",
  next: "Next",
  replaceAll: (cells: number): string => `Replace in ${counted(cells, "cell", "cells")}`,
  found: (cells: number, isInSelection: boolean): string =>
    (cells === 0 ? "Nothing found" : counted(cells, "cell", "cells")) +
    (isInSelection ? " in the selection" : ""),
  onlyProblems: (rows: number): string => `Only problems (${count(rows)})`,
  samples: (samples: number): string => counted(samples, "sample", "samples"),
  selected: (rows: number, columns: number): string =>
    `${counted(rows, "row", "rows")} × ${counted(columns, "column", "columns")}`,
  matched: (matched: number, all: number): string => `${matched} of ${all} columns matched`,
  placed: (rows: number, columns: number): string =>
    `Pasted ${counted(rows, "row", "rows")} of ${counted(columns, "column", "columns")}`,
  leftOut: (columns: number): string => `${counted(columns, "column", "columns")} left out`,
  nameless: (rows: number): string => `${counted(rows, "row names", "rows name")} no row of this table`,
  readAs: (column: string, { example, decimal, thousands }: Guess, isThousands: boolean): string =>
    `${column}: ${example} is read as ${isThousands ? thousands : decimal}, not ${isThousands ? decimal : thousands}`,
  couldBe: (column: string, { example, decimal, thousands }: Guess): string =>
    `${column}: ${example} could be ${decimal} or ${thousands}`,
  readIt: (number: string): string => `Read as ${number}`,
  readIn: (column: string, number: string): string => `Read as ${number}: ${column}`,
  change: "Change",
  dismiss: "Close",
  notUsed: "Leave out",
  pastedColumn: (place: number): string => `Column ${count(place)}`,
  choices: (column: string): string => `Choices for ${column}`,
  help: (label: string, unit: string | undefined): string =>
    unit === undefined ? label : `${label} (${unit})`,
  place: (row: number, column: string): string => `Row ${count(row)}, ${column}`,
} as const;

/** What is wrong with a cell, in one sentence. */
export function reasonText(reason: Reason): string {
  switch (reason.kind) {
    case "required":
      return "is required";
    case "number":
      return reason.ways === undefined
        ? "must be a number"
        : `could be ${reason.ways.decimal} or ${reason.ways.thousands}, type the one that is meant`;
    case "date":
      return "must be a date like 2031-05-04";
    case "flag":
      return "must be yes or no";
    case "option":
      return "is not one of the options";
    case "tooSmall":
      return `must be at least ${reason.min}`;
    case "tooLarge":
      return `must be at most ${reason.max}`;
    case "tooShort":
      return `must have at least ${reason.min} characters`;
    case "tooLong":
      return `must have at most ${reason.max} characters`;
    case "pattern":
      return reason.message ?? "does not have the form that is asked for";
    case "duplicate":
      return `is also in row ${count(reason.otherRow)}`;
  }
}
