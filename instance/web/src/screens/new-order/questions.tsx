import { RadioCards } from "../../parts/choice-fields";
import { ChecklistField } from "../../questions/checklist-field";
import { type FormField, isAnswered, isRecord, keyOf, pathOf } from "../../questions/form";
import { hasCards, isArchivePlatform, Platforms } from "../../questions/platforms";
import { choicesOf, Question } from "../../questions/question";
import { text } from "../../text/en/new-order";
import type { Draft } from "./draft";
import { textOf } from "./samples";

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
            <Asked key={field.id} draft={draft} field={field} />
          ))}
        </div>
      ))}
    </>
  );
}

function Asked({ draft, field }: { draft: Draft; field: FormField }) {
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
  if (field.type === "sequencing-tech") {
    if (draft.technologies.length === 0) return null;
    return (
      <Platforms
        {...shared}
        technologies={draft.technologies}
        value={value}
        platforms={draft.form.fields.find(({ systemKey }) => systemKey === "platform")?.options}
        onChoose={(selection, platform) => {
          set(selection);
          if (platform !== null) draft.answer("platform", platform);
        }}
      />
    );
  }
  if (field.type === "mixs") {
    return (
      <ChecklistField
        {...shared}
        offered={draft.form.enabledMixsChecklists}
        value={isRecord(value) ? textOf(value.checklist) : ""}
        onInput={(accession) => set(accession === "" ? null : { checklist: accession })}
      />
    );
  }
  if (isArchivePlatform(field)) {
    if (isFilledByCard(draft) && problem === undefined) return null;
    if (!hasCards(draft.form.fields, draft.technologies)) {
      return (
        <RadioCards
          {...shared}
          label={text.platform}
          choices={choicesOf(field)}
          value={textOf(value)}
          onInput={set}
        />
      );
    }
  }
  return <Question field={field} path={shared.name} value={value} error={problem?.message} onInput={set} />;
}

/** A card fills in the archives' platform; only where it can't is it asked for. */
function isFilledByCard(draft: Draft): boolean {
  const technology = draft.form.fields.find(({ type }) => type === "sequencing-tech");
  if (technology === undefined || draft.technologies.length === 0) return false;
  return !isAnswered(draft.answers.value[keyOf(technology)]) || isAnswered(draft.answers.value.platform);
}
