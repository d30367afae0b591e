import { SelectField, TextArea, TextField } from "../../parts/field";
import { Question } from "../../questions/question";
import { text } from "../../text/en/studies";
import { type Answers, askedOf, pathOf } from "./questions";
import type { Checklists, Study, StudyForm } from "./state";

/** What somebody writes of a study. */
export interface Details {
  readonly title: string;
  readonly alias: string;
  readonly description: string;
  readonly checklistType: string;
  readonly metadata: Answers;
}

export const NOTHING: Details = { title: "", alias: "", description: "", checklistType: "", metadata: {} };

export function isDetails(value: unknown): value is Details {
  if (typeof value !== "object" || value === null) return false;
  const metadata: unknown = Reflect.get(value, "metadata");
  const texts = ["title", "alias", "description", "checklistType"];
  return (
    texts.every((name) => typeof Reflect.get(value, name) === "string") &&
    typeof metadata === "object" &&
    metadata !== null
  );
}

export const detailsOf = (study: Study): Details => ({
  title: study.title,
  alias: study.alias ?? "",
  description: study.description ?? "",
  checklistType: study.checklistType ?? "",
  metadata: study.metadata,
});

interface Props {
  form: StudyForm;
  checklists: Checklists;
  details: Details;
  errors: ReadonlyMap<string, string>;
  onChange: (details: Details) => void;
}

/** What people call the fields, by their path in the API. */
export function labelsOf(form: StudyForm): Record<string, string> {
  const asked = askedOf(form).map((field) => [pathOf(field), field.label]);
  const { title, alias, description, checklist: checklistType } = text;
  return { title, alias, description, checklistType, ...Object.fromEntries(asked) };
}

export function DetailFields({ form, checklists, details, errors, onChange }: Props) {
  const field = (name: "title" | "alias" | "description" | "checklistType") => ({
    name,
    value: details[name],
    error: errors.get(name),
    onInput: (value: string) => onChange({ ...details, [name]: value }),
  });
  // One that is no longer offered stays with the study that has it.
  const offered = checklists.all.filter(
    ({ accession, deprecated }) => !deprecated || accession === details.checklistType,
  );
  return (
    <>
      <TextField {...field("title")} label={text.title} help={text.titleHelp} required maxLength={255} />
      <SelectField
        {...field("checklistType")}
        label={text.checklist}
        help={text.checklistHelp}
        none={text.noChecklist}
        choices={offered.map(({ accession, name }) => ({
          value: accession,
          label: text.checklistChoice(name, accession),
        }))}
      />
      <TextField {...field("alias")} label={text.alias} help={text.aliasHelp} sayOptional maxLength={255} />
      <TextArea {...field("description")} label={text.description} sayOptional rows={3} />
      {askedOf(form).map((field) => (
        <Question
          key={field.id}
          field={field}
          path={pathOf(field)}
          value={details.metadata[field.name]}
          error={errors.get(pathOf(field))}
          onInput={(value) =>
            onChange({ ...details, metadata: { ...details.metadata, [field.name]: value } })
          }
        />
      ))}
    </>
  );
}
