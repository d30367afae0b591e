/** Samples as rows of the grid, and rows as samples for the API. */
import type { components } from "../../api/schema";
import { type FormField, formColumn, textOf, valueFor } from "../../grid/form-columns";
import { type Column, newRowId, type Row } from "../../grid/table";
import { text } from "../../text/en/new-order";

export { type FormField, textOf, valueFor };

export type Form = components["schemas"]["instance.form-schema"];
export type Sample = components["schemas"]["instance.order-samples"]["samples"][number];
export type SampleRow = components["schemas"]["instance.requests.order-samples"]["samples"][number];

export const ORGANISM = "scientificName";
export const TAX_ID = "taxId";
export const ALIAS = "sampleAlias";

/** Headers that laboratories write for what the form asks. */
const FURTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  [ORGANISM]: ["organism", "species", "scientific name"],
  [TAX_ID]: ["tax id", "taxid", "taxonomy id", "ncbi tax id"],
  [ALIAS]: ["sample alias", "alias", "sample name", "sample", "name"],
};

/** Return the columns that a form asks of each sample: an organism is a name and its taxonomy id. */
export function columnsOf(form: Form): Column[] {
  const groups = new Map(form.groups.map(({ id, order }) => [id, order]));
  const place = (field: FormField): number => groups.get(field.groupId ?? "") ?? Number.MAX_SAFE_INTEGER;
  const fields = form.perSampleFields.toSorted(
    (one, other) => place(one) - place(other) || one.order - other.order,
  );
  return fields.flatMap((field) => (field.type === "organism" ? organismColumns(field) : [columnOf(field)]));
}

function columnOf(field: FormField): Column {
  const isAlias = field.systemKey === ALIAS;
  const key = isAlias ? ALIAS : field.name;
  return { ...formColumn(field), key, names: [field.name, ...(FURTHER_NAMES[key] ?? [])], isUnique: isAlias };
}

function organismColumns(field: FormField): Column[] {
  const name: Column = {
    ...columnOf(field),
    key: ORGANISM,
    kind: "organism",
    names: [field.name, ...(FURTHER_NAMES[ORGANISM] ?? [])],
  };
  const taxId: Column = {
    ...columnOf(field),
    key: TAX_ID,
    kind: "text",
    label: text.taxId,
    names: FURTHER_NAMES[TAX_ID] ?? [],
    required: false,
    follows: ORGANISM,
    help: text.taxIdHelp,
    pattern: "[0-9]+",
    patternMessage: text.taxIdPattern,
  };
  return [name, taxId];
}

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
