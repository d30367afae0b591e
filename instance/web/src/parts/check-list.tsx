import { CheckField } from "./choice-fields";
import type { FieldProps } from "./field";
import { FieldGroup } from "./field-group";

interface Props<V extends string> extends FieldProps {
  choices: readonly { value: V; label: string; help?: string | undefined }[];
  chosen: ReadonlySet<V>;
  onChange: (chosen: ReadonlySet<V>) => void;
}

/** Any of several values, one box each; many of them scroll. */
export function CheckList<V extends string>({ choices, chosen, onChange, ...shared }: Props<V>) {
  return (
    <FieldGroup {...shared}>
      <div class="check-list">
        {choices.map((choice) => (
          <CheckField
            key={choice.value}
            name={`${shared.name}.${choice.value}`}
            label={choice.label}
            help={choice.help}
            isChecked={chosen.has(choice.value)}
            onChange={(isOn) => onChange(withChoice(chosen, choice.value, isOn))}
          />
        ))}
      </div>
    </FieldGroup>
  );
}

function withChoice<V>(chosen: ReadonlySet<V>, value: V, isOn: boolean): ReadonlySet<V> {
  const next = new Set(chosen);
  if (isOn) next.add(value);
  else next.delete(value);
  return next;
}
