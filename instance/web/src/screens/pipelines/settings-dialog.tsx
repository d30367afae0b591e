import "../../style/parts/schema-form.css";
import { useState } from "preact/hooks";
import { type LastSave, readLastSave } from "../../api/last-save";
import { Problem } from "../../api/problem";
import { Disputes } from "../../parts/disputes";
import { FormDialog, STAYS_OPEN } from "../../parts/form-dialog";
import { fieldsOf, type SchemaField, type Typed } from "../../parts/schema-form/schema";
import { SchemaForm, valueInWords } from "../../parts/schema-form/schema-form";
import { demoRefusal } from "../../session";
import { text as common } from "../../text/en/common";
import { disputeText } from "../../text/en/disputes";
import { pipelineText as text } from "../../text/en/pipelines";
import { type Installed, saveSettings } from "./state";
import { typedOf, valueIn } from "./stored-settings";

interface Props {
  pipeline: Installed;
  onSaved: () => Promise<void>;
  onClose: () => void;
}

interface Disputed {
  readonly fields: readonly SchemaField[];
  readonly theirs: Typed;
  readonly by: LastSave | null;
}

const NOTHING: Disputed = { fields: [], theirs: {}, by: null };

/**
 * What the facility sets for all runs of a pipeline; what it leaves is the package's.
 *
 * What somebody else saved meanwhile stays, or is seen before it is overwritten.
 */
export function SettingsDialog({ pipeline, onSaved, onClose }: Props) {
  const [seen, setSeen] = useState(pipeline);
  const [typed, setTyped] = useState<Typed>(() => typedOf(pipeline));
  const [{ fields, theirs, by }, setDisputed] = useState(NOTHING);
  const submit = async (): Promise<unknown> => {
    const outcome = await saveSettings(seen, typed);
    if (outcome.isSaved) return onSaved();
    const { now, disputed } = outcome;
    const last = disputed.length > 0 ? await readLastSave("pipeline-configured", seen.id) : null;
    setDisputed({ fields: disputed, theirs: typedOf(now), by: last });
    setTyped(outcome.typed);
    setSeen(now);
    if (now.version !== seen.version) throw new Problem(text.otherVersion(now.version), 409);
    return STAYS_OPEN;
  };
  const decide = (keys: readonly string[], taken: Typed): void => {
    const isTaken = (key: string): boolean => keys.includes(key);
    setDisputed({ fields: fields.filter(({ key }) => !isTaken(key)), theirs, by });
    setTyped(taken);
  };
  const withTheirs = (keys: readonly string[]): Typed => {
    const isTaken = ([key]: [string, string]): boolean => keys.includes(key);
    const mine = Object.entries(typed).filter((one) => !isTaken(one));
    return Object.fromEntries([...mine, ...Object.entries(theirs).filter(isTaken)]);
  };
  return (
    <FormDialog
      title={text.settingsOf(seen.name)}
      verb={common.save}
      labels={Object.fromEntries(fieldsOf(seen.configSchema).map(({ key, label }) => [key, label]))}
      isWide
      refusal={demoRefusal.value ?? (fields.length > 0 ? disputeText.decideFirst : null)}
      onSubmit={submit}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p class="muted">{text.settingsWhy}</p>
          <Disputes
            disputes={fields.map((field) => ({
              id: field.key,
              what: field.label,
              mine: valueInWords(valueIn(field, seen, typed)),
              theirs: valueInWords(valueIn(field, seen, theirs)),
            }))}
            by={by}
            keepMine={(keys) => decide(keys, typed)}
            takeTheirs={(keys) => decide(keys, withTheirs(keys))}
          />
          <SchemaForm
            schema={seen.configSchema}
            defaults={seen.packageConfig}
            typed={typed}
            onType={setTyped}
            errors={errors}
          />
        </>
      )}
    </FormDialog>
  );
}
