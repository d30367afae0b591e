import { CheckField, RadioCards } from "../../parts/choice-fields";
import { NumberField, SelectField, TextArea, TextField } from "../../parts/field";
import { text } from "../../text/en/new-order";
import { isAnswered, isRecord, keyOf, pathOf } from "./answers";
import { ChecklistField } from "./checklist-section";
import type { Draft } from "./draft";
import { Grants } from "./grants";
import { Platforms } from "./platforms";
import { type FormField, textOf } from "./samples";

interface Props {
  draft: Draft;
  groups: readonly { readonly name: string; readonly fields: readonly FormField[] }[];
}

/** The questions of the form by group, each as its type wants. */
export function Questions({ draft, groups }: Props) {
  return (
    <>
      {groups.map(({ name, fields }) => (
        <div key={name} class="stack">
          {name !== "" && groups.length > 1 && <h3>{name}</h3>}
          {fields.map((field) => (
            <Question key={field.id} draft={draft} field={field} />
          ))}
        </div>
      ))}
    </>
  );
}

function Question({ draft, field }: { draft: Draft; field: FormField }) {
  const key = keyOf(field);
  const value = draft.answers.value[key];
  const set = (next: unknown): void => draft.answer(key, next);
  const problem = draft.check.value?.problems.find(
    (one) => one.sampleId === null && one.field === field.name,
  );
  const shared = {
    name: pathOf(field),
    label: field.label,
    help: field.helpText,
    required: field.required,
    error: problem?.message,
  };
  switch (field.type) {
    case "sequencing-tech":
      if (draft.technologies.length === 0) return null;
      return <Platforms draft={draft} field={field} {...shared} />;
    case "textarea":
      return <TextArea {...shared} rows={3} value={textOf(value)} onInput={set} />;
    case "select":
      if (field.systemKey === "platform" && isFilledByCard(draft) && problem === undefined) return null;
      return field.systemKey === "platform" && !hasPlatformCards(draft) ? (
        <RadioCards
          {...shared}
          label={text.platform}
          choices={choicesOf(field)}
          value={textOf(value)}
          onInput={set}
        />
      ) : (
        <SelectField
          {...shared}
          none={text.none}
          choices={choicesOf(field)}
          value={textOf(value)}
          onInput={set}
        />
      );
    case "multiselect":
      return <Several field={field} label={field.label} help={field.helpText} value={value} onInput={set} />;
    case "checkbox":
      return <CheckField {...shared} isChecked={value === true} onChange={set} />;
    case "number":
      return (
        <NumberField
          {...shared}
          unit={field.units?.[0]}
          value={textOf(value)}
          onInput={(typed) => set(typed === "" ? null : typed)}
        />
      );
    case "date":
      return (
        <TextField
          {...shared}
          type="date"
          value={textOf(value)}
          onInput={(typed) => set(typed === "" ? null : typed)}
        />
      );
    case "billing":
      return (
        <Billing path={shared.name} label={field.label} value={isRecord(value) ? value : {}} onInput={set} />
      );
    case "funding":
      return <Grants path={shared.name} label={field.label} value={value} onInput={set} />;
    case "mixs":
      return (
        <ChecklistField
          {...shared}
          draft={draft}
          value={isRecord(value) ? textOf(value.checklist) : ""}
          onInput={(accession) => set(accession === "" ? null : { checklist: accession })}
        />
      );
    default:
      return <TextField {...shared} placeholder={field.placeholder} value={textOf(value)} onInput={set} />;
  }
}

/** A card fills in the archives' platform; only where it can't is it asked for. */
function isFilledByCard(draft: Draft): boolean {
  const technology = draft.form.fields.find(({ type }) => type === "sequencing-tech");
  if (!hasPlatformCards(draft) || technology === undefined) return false;
  return !isAnswered(draft.answers.value[keyOf(technology)]) || isAnswered(draft.answers.value.platform);
}

function hasPlatformCards({ form, technologies }: Draft): boolean {
  return technologies.length > 0 && form.fields.some(({ type }) => type === "sequencing-tech");
}

function choicesOf({ options }: FormField) {
  return options.map((option) => ({ value: option, label: option }));
}

interface SeveralProps {
  field: FormField;
  label: string;
  help: string | undefined;
  value: unknown;
  onInput: (value: string[]) => void;
}

function Several({ field, label, help, value, onInput }: SeveralProps) {
  const chosen = Array.isArray(value) ? value.map(textOf) : [];
  return (
    <fieldset class="field">
      <legend class="field-label">{label}</legend>
      {help && <p class="field-help">{help}</p>}
      {field.options.map((option) => (
        <CheckField
          key={option}
          name={`${pathOf(field)}.${option}`}
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
