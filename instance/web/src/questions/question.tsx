import { textOf } from "../grid/form-columns";
import { CheckField } from "../parts/choice-fields";
import { NumberField, SelectField, TextArea, TextField } from "../parts/field";
import { text } from "../text/en/new-order";
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
      return <SelectField {...words} none={text.none} choices={choicesOf(field)} />;
    case "multiselect":
      return <Several path={path} field={field} label={label} help={help} value={value} onInput={onInput} />;
    case "checkbox":
      return <CheckField {...shared} isChecked={value === true} onChange={onInput} />;
    case "number":
      return <NumberField {...words} unit={field.units?.[0]} onInput={orNothing} />;
    case "date":
      return <TextField {...words} type="date" onInput={orNothing} />;
    case "billing":
      return <Billing path={path} label={label} value={isRecord(value) ? value : {}} onInput={onInput} />;
    case "funding":
      return <Grants path={path} label={label} value={value} onInput={onInput} />;
    default:
      return <TextField {...words} placeholder={field.placeholder} />;
  }
}

export function choicesOf({ options }: FormField) {
  return options.map((option) => ({ value: option, label: option }));
}

interface SeveralProps {
  path: string;
  field: FormField;
  label: string;
  help: string | undefined;
  value: unknown;
  onInput: (value: string[]) => void;
}

function Several({ path, field, label, help, value, onInput }: SeveralProps) {
  const chosen = Array.isArray(value) ? value.map(textOf) : [];
  return (
    <fieldset class="field">
      <legend class="field-label">{label}</legend>
      {help && <p class="field-help">{help}</p>}
      {field.options.map((option) => (
        <CheckField
          key={option}
          name={`${path}.${option}`}
          label={option}
          isChecked={chosen.includes(option)}
          onChange={(isOn) =>
            onInput(field.options.filter((each) => (each === option ? isOn : chosen.includes(each))))
          }
        />
      ))}
    </fieldset>
  );
}

interface BillingProps {
  path: string;
  label: string;
  value: Record<string, unknown>;
  onInput: (value: Record<string, unknown>) => void;
}

function Billing({ path, label, value, onInput }: BillingProps) {
  return (
    <fieldset class="field stack-tight">
      <legend class="field-label">{label}</legend>
      <TextField
        name={`${path}.projectCode`}
        label={text.projectCode}
        value={textOf(value.projectCode)}
        onInput={(projectCode) => onInput({ ...value, projectCode })}
      />
      <TextField
        name={`${path}.costCenter`}
        label={text.costCenter}
        value={textOf(value.costCenter)}
        onInput={(costCenter) => onInput({ ...value, costCenter })}
      />
    </fieldset>
  );
}
