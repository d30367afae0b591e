import { useEffect } from "preact/hooks";
import { useAction } from "../api/resource";
import { text } from "../text/en/common";
import { Button } from "./button";
import { saveText, toCsv } from "./csv";
import type { Column } from "./table";
import { toast } from "./toast";

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
  /** Of a list that is shown in part: how many rows fit, and the way to read them. */
  all?: { total: number; readAll: () => Promise<readonly R[]> } | undefined;
}

/** What a page reads and holds at a time without making anybody wait. Decision: G1087. */
const MOST = 5000;

/** Saves the rows that are shown, or all that fit, as CSV with the columns that are shown. */
export function SaveList<R>({ file, columns, rows, all }: Props<R>) {
  const rest = all && all.total > rows.length ? all : null;
  const saving = useAction(async () => {
    saveText(file, csvOf(columns, rest ? await rest.readAll() : rows), "text/csv");
  });
  const problem = saving.problem.value;
  useEffect(() => {
    if (problem) toast(problem.message);
  }, [problem]);
  const tooMuch = rest && rest.total > MOST ? text.tooMuchToSave(MOST) : null;
  return (
    <Button
      icon="download"
      label={rest ? text.savesAll(rest.total) : text.savesCsv}
      isBusy={saving.isRunning.value}
      refusal={rows.length === 0 ? text.nothingShown : tooMuch}
      onClick={() => void saving.run()}
    >
      {text.csv}
    </Button>
  );
}

/** What a file has of these columns and rows. */
export function csvOf<R>(columns: readonly SavedColumn<R>[], rows: readonly R[]): string {
  const kept = columns.flatMap(({ label, saved, savedLabel }) =>
    saved ? [{ label: savedLabel ?? label, saved }] : [],
  );
  return toCsv([kept.map(({ label }) => label), ...rows.map((row) => kept.map(({ saved }) => saved(row)))]);
}
