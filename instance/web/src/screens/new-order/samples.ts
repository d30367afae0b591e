/** Samples as rows of the grid, and rows as samples for the API. */
import type { components } from "../../api/schema";
import { textOf, valueFor } from "../../grid/form-columns";
import { type Column, newRowId, type Row } from "../../grid/table";
import { ALIAS, columnsOf, ORGANISM, TAX_ID } from "../../questions/sample-columns";

export { ALIAS, columnsOf, ORGANISM, TAX_ID, textOf, valueFor };

export type Form = components["schemas"]["instance.form-schema"];
export type Sample = components["schemas"]["instance.order-samples"]["samples"][number];
export type SampleRow = components["schemas"]["instance.requests.order-samples"]["samples"][number];

/** Return the column of a problem: the API calls the organism by its question, too. */
export function columnOfProblem(field: string, form: Form): string {
  return form.perSampleFields.some(({ name, type }) => type === "organism" && name === field)
    ? ORGANISM
    : field;
}

export function rowOf(sample: Sample, columns: readonly Column[]): Row {
  return { id: newRowId(), cells: columns.map(({ key }) => textOf(storedValue(sample, key))) };
}

function storedValue(sample: Sample, key: string): unknown {
  if (key === ORGANISM) return sample.scientificName;
  if (key === TAX_ID) return sample.taxId;
  if (key === ALIAS) return sample.sampleAlias;
  return sample.customFields[key];
}

/**
 * Return a row as the API takes it: cells whose columns `isSent`, over the version of its sample that is known.
 *
 * Somebody who types a number as the organism means its taxonomy id.
 */
export function bodyOf(
  row: Row,
  columns: readonly Column[],
  base: { readonly sampleId: string; readonly updatedAt: string } | undefined,
  isSent: (key: string) => boolean,
): SampleRow {
  const cells = new Map(columns.map(({ key }, index) => [key, row.cells[index] ?? ""]));
  const organism = cells.get(ORGANISM) ?? "";
  const isNumber = isSent(ORGANISM) && /^[0-9]+$/.test(organism) && (cells.get(TAX_ID) ?? "") === "";
  if (isNumber) {
    cells.set(TAX_ID, organism);
    cells.set(ORGANISM, "");
  }
  const customFields: Record<string, unknown> = {};
  const body: SampleRow = {};
  if (base !== undefined) [body.id, body.baseUpdatedAt] = [base.sampleId, base.updatedAt];
  for (const { key, kind } of columns) {
    const cell = cells.get(key) ?? "";
    if (!isSent(key) && !(isNumber && key === TAX_ID)) continue;
    if (key === ORGANISM) body.scientificName = cell;
    else if (key === TAX_ID) body.taxId = cell;
    else if (key === ALIAS) body.sampleAlias = cell;
    else customFields[key] = valueFor(kind, cell);
  }
  return Object.keys(customFields).length === 0 ? body : { ...body, customFields };
}
