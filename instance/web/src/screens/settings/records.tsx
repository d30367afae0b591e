import { useSignal } from "@preact/signals";
import { Button } from "../../parts/button";
import { TextField } from "../../parts/field";
import { settingsText as text } from "../../text/en/settings";
import { Control, type ControlProps, Meaning } from "./control";
import { recordOf } from "./edits";
import type { Setting, Values } from "./state";

interface Entry {
  /** What stands after the name of the setting in the path of its values. */
  readonly at: string;
  readonly title: string;
  readonly record: Values;
}

interface Props extends ControlProps {
  errorOf: (name: string) => string | undefined;
}

/** A list of records, or records that have a name each: one box a record. */
export function Records({ setting, name, value, preset, error, onChange, errorOf }: Props) {
  const isNamed = setting.kind === "named-records";
  const entries = isNamed ? namedEntries(value) : listEntries(setting, value);
  const put = (at: string, record: Values | null): void => {
    const next = entries.flatMap((entry) => {
      const now = entry.at === at ? record : entry.record;
      return now === null ? [] : [[entry.title, now] as const];
    });
    onChange(isNamed ? Object.fromEntries(next) : next.map(([, one]) => one));
  };
  return (
    <fieldset class="setting-records">
      <legend>{setting.label}</legend>
      <p class="field-help">
        <Meaning of={setting} preset={preset} />
      </p>
      {error && <p class="field-error">{error}</p>}
      {entries.map(({ at, title, record }) => (
        <fieldset key={at} class="card setting-record">
          <legend>{title}</legend>
          <div class="schema-fields">
            {setting.fields.map((field) => (
              <Control
                key={field.key}
                setting={field}
                name={`${name}${at}.${field.key}`}
                value={
                  field.kind === "secret" && !Object.hasOwn(record, field.key) ? undefined : record[field.key]
                }
                isSet={record[`${field.key}IsSet`] === true}
                error={errorOf(`${name}${at}.${field.key}`)}
                onChange={(typed) => put(at, withValue(setting, record, field, typed))}
              />
            ))}
          </div>
          <Button icon="trash" label={text.removeOf(title)} onClick={() => put(at, null)}>
            {text.remove}
          </Button>
        </fieldset>
      ))}
      {isNamed ? (
        <AddNamed
          setting={setting}
          taken={entries.map(({ title }) => title)}
          onAdd={(id) => onChange({ ...recordOf(value), [id]: emptyRecord(setting) })}
        />
      ) : (
        <p>
          <Button
            icon="add"
            onClick={() => onChange([...entries.map(({ record }) => record), emptyRecord(setting)])}
          >
            {text.add(setting.label)}
          </Button>
        </p>
      )}
    </fieldset>
  );
}

const namedEntries = (value: unknown): Entry[] =>
  Object.entries(recordOf(value)).map(([id, record]) => ({
    at: `.${id}`,
    title: id,
    record: recordOf(record),
  }));

const listEntries = (setting: Setting, value: unknown): Entry[] =>
  (Array.isArray(value) ? value : []).map((one, place) => {
    const record = recordOf(one);
    const called = typeof record.name === "string" && record.name !== "" ? record.name : null;
    return { at: `[${place}]`, title: called ?? text.record(setting.label, place + 1), record };
  });

/** A record in which nothing is decided yet; of a list only what has to be there. */
const emptyRecord = ({ kind, fields }: Setting): Values =>
  Object.fromEntries(
    fields
      .filter(({ mayBeNull }) => kind === "named-records" || !mayBeNull)
      .map(({ key, mayBeNull, choices }) => [key, mayBeNull ? null : (choices[0] ?? "")]),
  );

/** What is not set is left out of a record of a list, but for a secret: without it, it stays. */
function withValue({ kind }: Setting, record: Values, field: Setting, typed: unknown): Values {
  const { [field.key]: _, ...others } = record;
  const isLeftOut = typed === undefined || (typed === null && kind === "records" && field.kind !== "secret");
  return isLeftOut ? others : { ...record, [field.key]: typed };
}

function AddNamed({
  setting,
  taken,
  onAdd,
}: {
  setting: Setting;
  taken: readonly string[];
  onAdd: (id: string) => void;
}) {
  const id = useSignal("");
  const plain = id.value.trim();
  const refusal = plain === "" ? text.nameFirst : taken.includes(plain) ? text.isThere : null;
  return (
    <div class="setting-add">
      <TextField
        name={`${setting.key}-new`}
        label={text.idOf(setting.label)}
        isCode
        value={id.value}
        onInput={(typed) => (id.value = typed)}
      />
      <Button
        icon="add"
        refusal={refusal}
        onClick={() => {
          onAdd(plain);
          id.value = "";
        }}
      >
        {text.addNamed}
      </Button>
    </div>
  );
}
