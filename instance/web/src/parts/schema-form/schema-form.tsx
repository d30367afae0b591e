import { useMemo } from "preact/hooks";
import { schemaText as text } from "../../text/en/schema-form";
import { Button } from "../button";
import { CheckField } from "../choice-fields";
import { type FieldProps, NumberField, SelectField, TextArea, TextField } from "../field";
import { fieldsOf, grouped, isChanged, presetOf, type SchemaField, type Typed, written } from "./schema";

interface Props {
  /** A JSON Schema of an object. */
  schema: unknown;
  /** What holds when nothing is typed; it goes before the defaults of the schema. */
  defaults: Readonly<Record<string, unknown>>;
  typed: Typed;
  onType: (typed: Typed) => void;
  /** What the server says of a value, by its key. */
  errors: ReadonlyMap<string, string>;
  /** What stands before each key in the names of the controls, if anything does. */
  name?: string;
}

/** Settings by a JSON Schema: each with its default, and a mark where it was changed. */
export function SchemaForm({ schema, defaults, typed, onType, errors, name }: Props) {
  const groups = useMemo(() => grouped(fieldsOf(schema)), [schema]);
  const type = (key: string, value: string | null): void => {
    const { [key]: _, ...rest } = typed;
    onType(value === null ? rest : { ...rest, [key]: value });
  };
  return (
    <div class="stack">
      {groups.map(({ title, fields }) => (
        <Group key={title} title={title}>
          {fields.map((field) => (
            <Setting
              key={field.key}
              field={field}
              preset={presetOf(field, defaults)}
              value={typed[field.key]}
              isChanged={isChanged(field, defaults, typed)}
              onType={(value) => type(field.key, value)}
              name={name === undefined ? field.key : `${name}.${field.key}`}
              error={errors.get(field.key)}
            />
          ))}
        </Group>
      ))}
    </div>
  );
}

function Group({ title, children }: { title: string | null; children: preact.ComponentChildren }) {
  if (title === null) return <div class="schema-fields">{children}</div>;
  return (
    <fieldset class="schema-group">
      <legend>{title}</legend>
      <div class="schema-fields">{children}</div>
    </fieldset>
  );
}

interface SettingProps {
  field: SchemaField;
  preset: unknown;
  /** What was typed, if anything was. */
  value: string | undefined;
  isChanged: boolean;
  onType: (value: string | null) => void;
  name: string;
  error: string | undefined;
}

function Setting({ field, preset, value, isChanged: changed, onType, name, error }: SettingProps) {
  const { kind, label, least, most } = field;
  const range = kind === "whole" || kind === "number" ? text.range(least, most) : null;
  const shared: FieldProps = {
    name,
    label,
    help: [field.help, range].filter(Boolean).join(" ") || undefined,
    error,
    required: field.isRequired && preset === undefined,
  };
  const shown = value ?? written(kind, preset);
  const fallsBack = value?.trim() === "" && preset !== undefined && preset !== "";
  return (
    <div class="schema-field" data-changed={changed || undefined}>
      <Control field={field} shared={shared} shown={shown} onType={onType} />
      {fallsBack && <p class="schema-changed">{text.emptyUses(valueInWords(preset))}</p>}
      {changed && (
        <p class="schema-changed">
          {text.changed(valueInWords(preset))}{" "}
          <Button look="link" label={text.useDefaultOf(label)} onClick={() => onType(null)}>
            {text.useDefault}
          </Button>
        </p>
      )}
    </div>
  );
}

interface ControlProps {
  field: SchemaField;
  shared: FieldProps;
  shown: string;
  onType: (value: string) => void;
}

function Control({ field, shared, shown, onType }: ControlProps) {
  const { kind, choices } = field;
  if (kind === "switch") {
    return (
      <CheckField
        {...shared}
        isChecked={shown === "true"}
        onChange={(isChecked) => onType(String(isChecked))}
      />
    );
  }
  if (kind === "choice") {
    return (
      <SelectField
        {...shared}
        value={shown}
        onInput={onType}
        none={shown === "" ? text.none : undefined}
        choices={choices.map((choice) => ({ value: JSON.stringify(choice), label: valueInWords(choice) }))}
      />
    );
  }
  if (kind === "json") return <TextArea {...shared} rows={3} value={shown} onInput={onType} />;
  if (kind === "text") return <TextField {...shared} value={shown} onInput={onType} />;
  return <NumberField {...shared} unit={field.unit ?? undefined} value={shown} onInput={onType} />;
}

/** A value of a configuration, as people write it. */
export function valueInWords(value: unknown): string {
  if (value === undefined || value === null || value === "") return text.nothing;
  if (typeof value === "boolean") return value ? text.yes : text.no;
  return typeof value === "string" ? value : JSON.stringify(value);
}
