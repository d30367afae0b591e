import { useSignal } from "@preact/signals";
import { CheckField } from "../../parts/choice-fields";
import { type FieldProps, NumberField, SelectField, TextArea, TextField } from "../../parts/field";
import { settingsText as text } from "../../text/en/settings";
import { size } from "../../text/format";
import { same } from "./edits";
import { SecretControl } from "./secret";
import type { Setting } from "./state";
import { helpOf, readText, writtenText } from "./words";

export interface ControlProps {
  setting: Setting;
  /** Its path in the API, by which the server names what it refuses. */
  name: string;
  value: unknown;
  /** What holds by default, in words. */
  preset?: string | null;
  /** Of a secret: whether one is stored. */
  isSet?: boolean;
  error: string | undefined;
  onChange: (value: unknown) => void;
}

/** One value, as its kind is typed. */
export function Control(props: ControlProps) {
  const { setting, name, value, preset, error, onChange } = props;
  const help = <Meaning of={setting} preset={preset} />;
  const shared: FieldProps = { name, label: setting.label, help, error };
  if (setting.kind === "secret") return <SecretControl {...props} shared={shared} />;
  if (setting.kind === "switch") {
    return <CheckField {...shared} isChecked={value === true} onChange={onChange} />;
  }
  if (setting.kind === "choice") {
    return (
      <SelectField
        {...shared}
        value={typeof value === "string" ? value : ""}
        none={setting.mayBeNull ? (setting.without ?? text.nothing) : undefined}
        choices={setting.choices.map((choice) => ({ value: choice, label: choice }))}
        onInput={(typed) => onChange(typed === "" ? null : typed)}
      />
    );
  }
  return <Typed {...props} shared={shared} />;
}

export function Meaning({ of, preset }: { of: Setting; preset: string | null | undefined }) {
  return (
    <>
      {helpOf(of)}
      {preset && <span class="setting-preset">{preset}</span>}
    </>
  );
}

/** Text stays as it is typed, as long as it says what is set: `1,` on the way to `1,5`, an empty line. */
function Typed({ setting, value, onChange, shared }: ControlProps & { shared: FieldProps }) {
  const typed = useSignal("");
  const isTyped = same(readText(setting, typed.value), value);
  const control = {
    ...shared,
    value: isTyped && typed.value !== "" ? typed.value : writtenText(setting, value),
    onInput: (next: string): void => {
      typed.value = next;
      onChange(readText(setting, next));
    },
  };
  if (setting.kind === "lines") return <TextArea {...control} rows={3} />;
  if (setting.kind === "long-text") return <TextArea {...control} rows={5} />;
  if (setting.kind === "text") return <TextField {...control} />;
  return <NumberField {...control} unit={unitOf(setting, value)} />;
}

const unitOf = ({ unit }: Setting, value: unknown): string | undefined =>
  unit === "bytes" && typeof value === "number" && value >= 1000
    ? `bytes, ${size(value)}`
    : (unit ?? undefined);
