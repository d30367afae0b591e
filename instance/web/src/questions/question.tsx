import { textOf } from "../grid/form-columns";
import { CheckList } from "../parts/check-list";
import { CheckField } from "../parts/choice-fields";
import { type FieldProps, NumberField, SelectField, TextArea, TextField } from "../parts/field";
import { FieldGroup } from "../parts/field-group";
import { text } from "../text/en/questions";
import { type FormField, isRecord } from "./form";
import { Grants } from "./grants";

interface Props {
  field: FormField;
  /** The path of its answer in the API. */
  path: string;
  value: unknown;
  error?: string | undefined;
  onInput: (value: unknown) => void;
}

/** A question of a form, as its type wants. What the catalogs of the registry offer is asked by parts of its own. */
export function Question({ field, path, value, error, onInput }: Props) {
  const { label, helpText: help, required } = field;
  const shared = { name: path, label, help, required, error };
  const words = { ...shared, value: textOf(value), onInput };
  const orNothing = (typed: string): void => onInput(typed === "" ? null : typed);
  switch (field.type) {
    case "textarea":
      return <TextArea {...words} rows={3} />;
    case "select":
      return <SelectField {...words} none={text.notSpecified} choices={choicesOf(field)} />;
    case "multiselect":
      return (
        <CheckList
          {...shared}
          choices={choicesOf(field)}
          chosen={new Set(Array.isArray(value) ? value.map(textOf) : [])}
          onChange={(chosen) => onInput(field.options.filter((option) => chosen.has(option)))}
        />
      );
    case "checkbox":
      return <CheckField {...shared} isChecked={value === true} onChange={onInput} />;
    case "number":
      return <NumberField {...words} unit={field.units?.[0]} onInput={orNothing} />;
    case "date":
      return <TextField {...words} type="date" onInput={orNothing} />;
    case "billing":
      return <Billing {...shared} value={isRecord(value) ? value : {}} onInput={onInput} />;
    case "funding":
      return <Grants {...shared} value={value} onInput={onInput} />;
    default:
      return <TextField {...words} placeholder={field.placeholder} />;
  }
}

export function choicesOf({ options }: FormField) {
  return options.map((option) => ({ value: option, label: option }));
}

interface BillingProps extends FieldProps {
  value: Record<string, unknown>;
  onInput: (value: Record<string, unknown>) => void;
}

function Billing({ value, onInput, ...shared }: BillingProps) {
  return (
    <FieldGroup {...shared}>
      <TextField
        name={`${shared.name}.projectCode`}
        label={text.projectCode}
        value={textOf(value.projectCode)}
        onInput={(projectCode) => onInput({ ...value, projectCode })}
      />
      <TextField
        name={`${shared.name}.costCenter`}
        label={text.costCenter}
        value={textOf(value.costCenter)}
        onInput={(costCenter) => onInput({ ...value, costCenter })}
      />
    </FieldGroup>
  );
}
