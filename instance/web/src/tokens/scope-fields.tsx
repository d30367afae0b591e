import { CheckField } from "../parts/choice-fields";
import { fieldId } from "../parts/field";
import { type Scope, tokenText as words } from "../text/en/tokens";

const SCOPES: readonly Scope[] = [
  "orders:read",
  "orders:write",
  "uploads:write",
  "delivery:read",
  "runs:read",
  "runs:write",
];

interface Props {
  chosen: readonly Scope[];
  onChange: (chosen: readonly Scope[]) => void;
  /** Whether its owner is one of the facility's staff. */
  isForStaff: boolean;
  error?: string | undefined;
}

/** What a token may do, one box a scope. */
export function ScopeFields({ chosen, onChange, isForStaff, error }: Props) {
  const scopes = isForStaff ? [...SCOPES, "admin" as const] : SCOPES;
  const id = fieldId("scopes");
  return (
    <fieldset
      class="field"
      id={id}
      tabIndex={-1}
      aria-describedby={error ? `${id}-help ${id}-error` : `${id}-help`}
    >
      <legend class="field-label">{words.scopes}</legend>
      <p class="field-help" id={`${id}-help`}>
        {words.scopesHelp}
      </p>
      {scopes.map((scope) => (
        <CheckField
          key={scope}
          name={scope}
          label={words.scopeWords[scope]}
          isChecked={chosen.includes(scope)}
          onChange={(isChecked) =>
            onChange(isChecked ? [...chosen, scope] : chosen.filter((each) => each !== scope))
          }
        />
      ))}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
