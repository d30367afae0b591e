import { text } from "../text/en/common";
import { Button } from "./button";
import { saveText, toCsv } from "./csv";
import type { Column } from "./table";

/** A column, and what a file has of it; without `saved` nothing. */
export interface SavedColumn<R> extends Column<R> {
  saved?: ((row: R) => string | number) | undefined;
  /** Where the file has something else than the table. */
  savedLabel?: string | undefined;
}

interface Props<R> {
  /** What the file is called: `orders.csv`. */
  file: string;
  columns: readonly SavedColumn<R>[];
  rows: readonly R[];
}

/** Saves the rows and columns that are shown as CSV. */
export function SaveList<R>({ file, columns, rows }: Props<R>) {
  return (
    <Button
      icon="download"
      label={text.savesCsv}
      refusal={rows.length === 0 ? text.nothingShown : null}
      onClick={() => saveText(file, csvOf(columns, rows), "text/csv")}
    >
      {text.csv}
    </Button>
  );
}

/** The rows and columns that are shown, as CSV. */
export function csvOf<R>(columns: readonly SavedColumn<R>[], rows: readonly R[]): string {
  const kept = columns.flatMap(({ label, saved, savedLabel }) =>
    saved ? [{ label: savedLabel ?? label, saved }] : [],
  );
  return toCsv([kept.map(({ label }) => label), ...rows.map((row) => kept.map(({ saved }) => saved(row)))]);
}
