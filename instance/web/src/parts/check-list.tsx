import { CheckField } from "./choice-fields";
import { fieldId } from "./field";

interface Props<V extends string> {
  /** The path of the list in the API. */
  name: string;
  label: string;
  help?: string | undefined;
  error?: string | undefined;
  choices: readonly { value: V; label: string; help?: string | undefined }[];
  chosen: ReadonlySet<V>;
  onChange: (chosen: ReadonlySet<V>) => void;
}

/** Any of several values, one box each; many of them scroll. */
export function CheckList<V extends string>(props: Props<V>) {
  const { name, label, help, error, choices, chosen, onChange } = props;
  const id = fieldId(name);
  const describedBy = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <fieldset class="field" id={id} tabIndex={-1} aria-describedby={describedBy || undefined}>
      <legend class="field-label">{label}</legend>
      {help && (
        <p class="field-help" id={`${id}-help`}>
          {help}
        </p>
      )}
      <div class="check-list">
        {choices.map((choice) => (
          <CheckField
            key={choice.value}
            name={`${name}.${choice.value}`}
            label={choice.label}
            help={choice.help}
            isChecked={chosen.has(choice.value)}
            onChange={(isOn) => onChange(withChoice(chosen, choice.value, isOn))}
          />
        ))}
      </div>
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

function withChoice<V>(chosen: ReadonlySet<V>, value: V, isOn: boolean): ReadonlySet<V> {
  const next = new Set(chosen);
  if (isOn) next.add(value);
  else next.delete(value);
  return next;
}
