import { useSignal } from "@preact/signals";
import { readLastSave } from "../../api/last-save";
import { entryOf, type Problem } from "../../api/problem";
import { useAction, useResource } from "../../api/resource";
import { Button } from "../../parts/button";
import { Disputes } from "../../parts/disputes";
import { ErrorSummary } from "../../parts/error-summary";
import { demoRefusal } from "../../session";
import { disputeText } from "../../text/en/disputes";
import { settingsText as text } from "../../text/en/settings";
import { shownOf, storedOf } from "./edits";
import { SettingRow } from "./setting-row";
import type { SettingsDraft } from "./settings-draft";
import type { Section, Setting, Values } from "./state";
import { inWords } from "./words";

interface Props {
  draft: SettingsDraft;
  section: Section;
  values: Values;
}

/** One section: what each setting means, what holds, and what was changed here. */
export function SectionTab({ draft, section, values }: Props) {
  const isSaved = useSignal(false);
  const edits = draft.editsOf(section.name);
  const edited = Object.keys(edits).length;
  const hasDisputes = draft.disputesOf(section).length > 0;
  const saving = useAction(async () => {
    isSaved.value = await draft.save(section);
  });
  const problem = saving.problem.value;
  const refusal =
    demoRefusal.value ?? (hasDisputes ? disputeText.decideFirst : edited === 0 ? text.nothingToSave : null);
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (refusal === null) void saving.run();
      }}
    >
      <p>{section.meaning}</p>
      <ErrorSummary problem={problem} labels={labelsOf(section, problem)} />
      <SectionDisputes draft={draft} section={section} values={values} />
      <div class="settings-fields">
        {section.settings.map((setting) => (
          <SettingRow
            key={setting.key}
            setting={setting}
            name={`${section.name}.${setting.key}`}
            value={shownOf(setting, values, edits)}
            isSet={storedOf(setting, values) === true}
            isEdited={Object.hasOwn(edits, setting.key)}
            errorOf={(name) => errorOf(setting, problem, name)}
            onChange={(mine) => {
              isSaved.value = false;
              draft.change(section, setting, mine);
            }}
          />
        ))}
      </div>
      <div class="line settings-bar">
        <Button look="main" type="submit" isBusy={saving.isRunning.value} refusal={refusal}>
          {text.save}
        </Button>
        {edited > 0 && <Button onClick={() => draft.drop(section)}>{text.drop}</Button>}
        <span role="status">{edited === 0 && isSaved.value ? text.saved : text.changedHere(edited)}</span>
      </div>
    </form>
  );
}

function SectionDisputes({ draft, section, values }: Props) {
  const edits = draft.editsOf(section.name);
  const state = draft.stored.data.value?.state;
  const disputes = draft.disputesOf(section);
  const isAsked = disputes.length > 0;
  const last = useResource(
    async (signal) => (isAsked ? readLastSave("settings-saved", section.name, signal) : null),
    [section.name, state, isAsked],
  );
  const chosen = (ids: readonly string[]): Setting[] =>
    section.settings.filter(({ key }) => ids.includes(key));
  return (
    <Disputes
      disputes={disputes.map((setting) => {
        const isUnsure = edits[setting.key]?.isUnsure === true;
        const theirs = inWords(setting, storedOf(setting, values));
        return {
          id: setting.key,
          what: setting.label,
          mine: setting.kind === "secret" ? text.typedHere : inWords(setting, edits[setting.key]?.mine),
          theirs: isUnsure ? text.nobodySees : theirs,
        };
      })}
      by={last.data.value}
      keepMine={(ids) => draft.keepMine(section, chosen(ids))}
      takeTheirs={(ids) => draft.takeTheirs(section, chosen(ids))}
    />
  );
}

/** What the server says of a value; of a list that is one control, also what it says of an entry. */
function errorOf(setting: Setting, problem: Problem | null, name: string): string | undefined {
  const isWhole = setting.fields.length === 0;
  return problem?.details.find(({ path }) => path === name || (isWhole && path?.startsWith(`${name}[`)))
    ?.reason;
}

/** What people call each value that was refused. */
function labelsOf({ name, settings }: Section, problem: Problem | null): Record<string, string> {
  const labels = Object.fromEntries(settings.map(({ key, label }) => [`${name}.${key}`, label]));
  for (const { path } of problem?.details ?? []) {
    const plain = path === null ? "" : (entryOf(path)?.list ?? path);
    const setting = settings.find(
      ({ key, fields }) => fields.length > 0 && plain.startsWith(`${name}.${key}`),
    );
    const field = setting?.fields.find(({ key }) => plain.endsWith(`.${key}`));
    if (setting && field) labels[plain] = `${setting.label}, ${field.label}`;
  }
  return labels;
}
