import { Button } from "../../parts/button";
import { Chip } from "../../parts/chip";
import { settingsText as text } from "../../text/en/settings";
import { Control } from "./control";
import { same } from "./edits";
import { Records } from "./records";
import type { Setting } from "./state";
import { presetOf } from "./words";

interface Props {
  setting: Setting;
  /** What its control is called, and what the server calls it in a refusal. */
  name: string;
  /** What the control shows. */
  value: unknown;
  /** Of a secret: whether one is stored. */
  isSet: boolean;
  isEdited: boolean;
  errorOf: (name: string) => string | undefined;
  onChange: (value: unknown) => void;
}

/** A setting with its meaning, marked where it is not its default, and the way back. */
export function SettingRow({ setting, name, value, isSet, isEdited, errorOf, onChange }: Props) {
  const { kind, label } = setting;
  const hasRecords = kind === "records" || kind === "named-records";
  const isChanged = kind !== "secret" && !same(value, setting.default);
  const shared = { setting, name, value, preset: presetOf(setting), isSet, error: errorOf(name), onChange };
  return (
    <div
      class={hasRecords ? "setting setting-wide" : "setting"}
      data-changed={isChanged || isEdited || undefined}
    >
      {hasRecords ? <Records {...shared} errorOf={errorOf} /> : <Control {...shared} />}
      {isChanged && (
        <p class="schema-changed setting-changed">
          <Chip tone="run">{text.changed}</Chip>{" "}
          <Button look="link" label={text.useDefaultOf(label)} onClick={() => onChange(setting.default)}>
            {text.useDefault}
          </Button>
        </p>
      )}
      {isEdited && <p class="schema-changed setting-changed muted">{text.unsaved}</p>}
    </div>
  );
}
