import { type Choice, type FieldProps, fieldId } from "./field";

interface CheckProps extends FieldProps {
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

export function CheckField({ name, label, help, error, isChecked, onChange }: CheckProps) {
  const id = fieldId(name);
  return (
    <div class="field">
      <label class="check">
        <input
          id={id}
          name={name}
          type="checkbox"
          checked={isChecked}
          aria-invalid={error ? true : undefined}
          aria-describedby={help || error ? `${id}-more` : undefined}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        {label}
      </label>
      {(help || error) && (
        <p class={error ? "field-error" : "field-help"} id={`${id}-more`}>
          {error ?? help}
        </p>
      )}
    </div>
  );
}

interface RadioCardsProps extends FieldProps {
  choices: readonly Choice[];
  value: string;
  onInput: (value: string) => void;
}

/** Few choices that are compared before one is taken. The radio group has the label as its name. */
export function RadioCards({ name, label, help, error, required, choices, value, onInput }: RadioCardsProps) {
  const id = fieldId(name);
  return (
    <div
      class="field"
      role="radiogroup"
      aria-labelledby={`${id}-label`}
      aria-required={required}
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <span class="field-label" id={`${id}-label`}>
        {label}
      </span>
      {help && <p class="field-help">{help}</p>}
      <div class="radio-cards">
        {choices.map((choice, place) => (
          <label key={choice.value} class="radio-card">
            <input
              id={place === 0 ? id : undefined}
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              disabled={Boolean(choice.refusal)}
              onChange={() => onInput(choice.value)}
            />
            <span>
              <span class="radio-card-label">{choice.label}</span>
              {(choice.refusal ?? choice.help) && (
                <span class="field-help">{choice.refusal ?? choice.help}</span>
              )}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
