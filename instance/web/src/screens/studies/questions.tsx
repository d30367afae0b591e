import type { FormField } from "../../grid/form-columns";
import { textOf, valueFor } from "../../grid/form-columns";
import { Button } from "../../parts/button";
import { CheckField } from "../../parts/choice-fields";
import { NumberField, SelectField, TextArea, TextField } from "../../parts/field";
import { text } from "../../text/en/studies";
import type { StudyForm } from "./state";

export type Answers = Readonly<Record<string, unknown>>;

interface Props {
  form: StudyForm;
  answers: Answers;
  errors: ReadonlyMap<string, string>;
  onAnswer: (name: string, value: unknown) => void;
}

export const pathOf = ({ name }: FormField): string => `metadata.${name}`;

/** What is asked of a study beside its title; its checklist is chosen apart from the questions. */
export function askedOf(form: StudyForm): FormField[] {
  return form.studyFields
    .filter(({ visible, type }) => visible && type !== "mixs")
    .toSorted((one, other) => one.order - other.order);
}

/** Write answers as the API takes them; numbers were typed as text. */
export function metadataOf(form: StudyForm, answers: Answers): Record<string, unknown> {
  const asked = askedOf(form).filter(({ name }) => Object.hasOwn(answers, name));
  return Object.fromEntries(
    asked.map(({ name, type }) => {
      const value = answers[name];
      return [name, type === "number" && typeof value === "string" ? valueFor("number", value) : value];
    }),
  );
}

export function Questions({ form, answers, errors, onAnswer }: Props) {
  return (
    <>
      {askedOf(form).map((field) => (
        <Question
          key={field.id}
          field={field}
          value={answers[field.name]}
          error={errors.get(pathOf(field))}
          onInput={(value) => onAnswer(field.name, value)}
        />
      ))}
    </>
  );
}

interface QuestionProps {
  field: FormField;
  value: unknown;
  error: string | undefined;
  onInput: (value: unknown) => void;
}

function Question({ field, value, error, onInput }: QuestionProps) {
  const { label, helpText: help, required } = field;
  const shared = { name: pathOf(field), label, help, required, error };
  const words = { ...shared, value: textOf(value), onInput };
  const orNothing = (typed: string): void => onInput(typed === "" ? null : typed);
  switch (field.type) {
    case "textarea":
      return <TextArea {...words} rows={4} />;
    case "select":
      return (
        <SelectField
          {...words}
          none={text.notSpecified}
          choices={field.options.map((option) => ({ value: option, label: option }))}
        />
      );
    case "multiselect":
      return <Several field={field} value={value} onInput={onInput} />;
    case "checkbox":
      return <CheckField {...shared} isChecked={value === true} onChange={onInput} />;
    case "number":
      return <NumberField {...words} unit={field.units?.[0]} onInput={orNothing} />;
    case "date":
      return <TextField {...words} type="date" onInput={orNothing} />;
    case "funding":
      return <Grants field={field} value={value} onInput={onInput} />;
    default:
      return <TextField {...words} placeholder={field.placeholder} />;
  }
}

type PartProps = Omit<QuestionProps, "error">;

function Several({ field, value, onInput }: PartProps) {
  const chosen = Array.isArray(value) ? value.map(textOf) : [];
  return (
    <fieldset class="field">
      <legend class="field-label">{field.label}</legend>
      {field.helpText && <p class="field-help">{field.helpText}</p>}
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

const GRANT = [
  ["funder", text.funder],
  ["grantNumber", text.grantNumber],
  ["grantTitle", text.grantTitle],
] as const;

function Grants({ field, value, onInput }: PartProps) {
  const grants: Readonly<Record<string, unknown>>[] = Array.isArray(value)
    ? value.filter((one) => typeof one === "object" && one !== null)
    : [];
  return (
    <fieldset class="field stack-tight">
      <legend class="field-label">{field.label}</legend>
      {grants.map((grant, place) => (
        <div key={place} class="line">
          {GRANT.map(([key, label]) => (
            <TextField
              key={key}
              name={`${pathOf(field)}.${place}.${key}`}
              label={label}
              value={textOf(grant[key])}
              onInput={(word) =>
                onInput(grants.map((one, index) => (index === place ? { ...one, [key]: word } : one)))
              }
            />
          ))}
          <Button
            look="quiet"
            icon="trash"
            label={text.removeGrant(place + 1)}
            onClick={() => onInput(grants.filter((_, index) => index !== place))}
          />
        </div>
      ))}
      <div>
        <Button icon="add" onClick={() => onInput([...grants, {}])}>
          {text.addGrant}
        </Button>
      </div>
    </fieldset>
  );
}
