import { CheckField } from "../../parts/choice-fields";
import { type FieldProps, NumberField, SelectField, TextArea, TextField } from "../../parts/field";
import { catalogText as text } from "../../text/en/catalog";
import { text as common } from "../../text/en/common";
import { choicesOf, type EntryField, FIELDS, READ_LENGTHS, REST, type Typed } from "./entry-form";
import { type Collection, NAMED, nameOf } from "./items";
import { RowsField } from "./rows-field";
import type { Catalog } from "./state";

interface Props {
  catalog: Catalog;
  collection: Collection;
  /** What was typed as the id of a new entry; null for one that has its id. */
  id: string | null;
  onId: (id: string) => void;
  typed: Typed;
  onType: (key: string, value: string) => void;
  errors: ReadonlyMap<string, string>;
}

/** The fields of an entry of one kind. */
export function EntryFields({ catalog, collection, id, onId, typed, onType, errors }: Props) {
  return (
    <div class="stack">
      {id !== null && (
        <TextField
          name="id"
          label={text.label("id")}
          help={text.idHelp}
          error={errors.get("id")}
          required
          isCode
          value={id}
          onInput={onId}
        />
      )}
      {FIELDS[collection].map((field) => (
        <Control
          key={field.key}
          field={field}
          catalog={catalog}
          shared={{ name: field.key, label: text.label(field.key), error: errors.get(field.key) }}
          value={typed[field.key] ?? ""}
          onInput={(value) => onType(field.key, value)}
          errors={errors}
        />
      ))}
      <TextArea
        name={REST}
        label={text.label(REST)}
        help={text.restHelp}
        error={errors.get(REST)}
        rows={8}
        value={typed[REST] ?? ""}
        onInput={(value) => onType(REST, value)}
      />
    </div>
  );
}

interface ControlProps {
  field: EntryField;
  catalog: Catalog;
  shared: FieldProps;
  value: string;
  onInput: (value: string) => void;
  errors: ReadonlyMap<string, string>;
}

function Control({ field, catalog, shared, value, onInput, errors }: ControlProps) {
  const { key, kind } = field;
  if (kind === "rows") return <RowsField {...shared} value={value} onInput={onInput} errors={errors} />;
  if (kind === "switch") {
    return <CheckField {...shared} isChecked={value === "true"} onChange={(isOn) => onInput(String(isOn))} />;
  }
  if (kind === "choice") {
    const choices = READ_LENGTHS.map((one) => ({ value: one, label: text.readLengths[one] }));
    return <SelectField {...shared} none={common.choose} choices={choices} value={value} onInput={onInput} />;
  }
  if (kind === "entry") {
    const choices = catalog.items[choicesOf(field)].map((one) => ({ value: one.id, label: nameOf(one) }));
    return <SelectField {...shared} none={common.choose} choices={choices} value={value} onInput={onInput} />;
  }
  if (kind === "long") return <TextArea {...shared} rows={3} value={value} onInput={onInput} />;
  if (kind === "lines") {
    const help = NAMED[key] ? text.idsHelp : text.linesHelp;
    return <TextArea {...shared} help={help} rows={4} value={value} onInput={onInput} />;
  }
  if (kind === "whole") return <NumberField {...shared} value={value} onInput={onInput} />;
  return <TextField {...shared} value={value} onInput={onInput} />;
}
