import { Button } from "../../parts/button";
import { type FieldProps, TextField } from "../../parts/field";
import { settingsText as text } from "../../text/en/settings";
import type { ControlProps } from "./control";

/** What can be replaced or removed, and never read. `undefined` leaves it as it is. */
export function SecretControl({
  setting: { label, mayBeNull },
  value,
  isSet,
  onChange,
  shared,
}: ControlProps & { shared: FieldProps }) {
  if (typeof value === "string") {
    return (
      <div class="stack-tight">
        <TextField
          {...shared}
          label={text.newSecret(label)}
          type="password"
          autocomplete="new-password"
          value={value}
          onInput={onChange}
        />
        <p>
          <Button label={text.keepOf(label)} onClick={() => onChange(undefined)}>
            {text.keep}
          </Button>
        </p>
      </div>
    );
  }
  const isGoing = value === null;
  return (
    <div class="field">
      <span class="field-label">{label}</span>
      <p class="field-help">{shared.help}</p>
      <p class="setting-secret">
        {isGoing ? text.willBeRemoved : isSet ? text.secretIsSet : text.secretIsNot}
      </p>
      {shared.error && <p class="field-error">{shared.error}</p>}
      <div class="line">
        <Button label={isSet ? text.replaceOf(label) : text.setOf(label)} onClick={() => onChange("")}>
          {isSet ? text.replace : text.set}
        </Button>
        {isSet && mayBeNull && !isGoing && (
          <Button label={text.removeOf(label)} onClick={() => onChange(null)}>
            {text.remove}
          </Button>
        )}
        {isGoing && (
          <Button label={text.keepOf(label)} onClick={() => onChange(undefined)}>
            {text.keep}
          </Button>
        )}
      </div>
    </div>
  );
}
