/** What is said of each row of a plan. */
import { placesText, importText as text } from "../../../text/en/plans";
import type { Check, Preview } from "./state";

export type PlanRow = Preview["rows"][number];

export interface Remark {
  level: "error" | "warning";
  words: string;
}

/** The remarks on each row, by its place among the rows: errors of the plan first, then what its barcodes are like. */
export function remarksOf(preview: Preview, check: Check): ReadonlyMap<number, readonly Remark[]> {
  const remarks = new Map<number, Remark[]>();
  const add = (place: number, level: Remark["level"], words: string): void => {
    remarks.set(place, [...(remarks.get(place) ?? []), { level, words }]);
  };
  const nearest = new Map(check.unknownSamples.map((one) => [one.sample, one.nearest]));
  const missing = new Set(preview.missingSamples);
  const twice = new Map(preview.duplicateBarcodes.map((one) => [key(one.runId, one.barcode), one.count]));
  for (const [place, row] of preview.rows.entries()) {
    for (const { rowNumber, message } of preview.rowErrors) {
      if (rowNumber === row.rowNumber) add(place, "error", message);
    }
    if (row.sampleCode !== null && missing.has(row.sampleCode)) {
      add(place, "error", text.notFound(nearest.get(row.sampleCode) ?? []));
    }
    const count = twice.get(key(row.runId, row.barcode));
    if (row.barcode !== null && count !== undefined) add(place, "error", text.twice(row.barcode, count));
  }
  for (const { row, message } of check.problems) add(row, "warning", message);
  for (const { samples, message, distances } of check.pairs) {
    if (distances.length === 0) continue;
    for (const [place, { row }] of samples.entries()) {
      const other = samples[1 - place];
      if (row !== null && other) add(row, "warning", placesText.near(other.sample, message));
    }
  }
  return remarks;
}

/** Errors that are about no single row and stand at none: a sample that is there twice, for example. */
export function generalErrors({ rowErrors, missingSamples, duplicateBarcodes }: Preview): string[] {
  const atRows = missingSamples.length + duplicateBarcodes.length;
  return rowErrors
    .filter(({ rowNumber }) => rowNumber === null)
    .map(({ message }) => message)
    .slice(atRows);
}

/** The rows that share a barcode of a run, side by side. */
export function rowsOf(preview: Preview, runId: string, barcode: string): readonly PlanRow[] {
  return preview.rows.filter((row) => row.runId === runId && row.barcode === barcode);
}

const key = (runId: string | null, barcode: string | null): string => JSON.stringify([runId, barcode]);
