/** The columns of the samples of an order. */
import { formColumn } from "../grid/form-columns";
import type { Column } from "../grid/table";
import { text } from "../text/en/new-order";
import type { FormField, FormGroup } from "./form";

interface SampleForm {
  readonly perSampleFields: readonly FormField[];
  readonly groups: readonly FormGroup[];
}

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
export function columnsOf({ groups: headings, perSampleFields }: SampleForm): Column[] {
  const groups = new Map(headings.map(({ id, order }) => [id, order]));
  const place = (field: FormField): number => groups.get(field.groupId ?? "") ?? Number.MAX_SAFE_INTEGER;
  const fields = perSampleFields.toSorted(
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
