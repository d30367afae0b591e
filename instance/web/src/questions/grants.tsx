import { textOf } from "../grid/form-columns";
import { Button } from "../parts/button";
import { TextField } from "../parts/field";
import { text } from "../text/en/new-order";
import { isRecord } from "./form";

interface Props {
  path: string;
  label: string;
  value: unknown;
  onInput: (value: Record<string, unknown>[]) => void;
}

/** A list of grants that pay for the order. */
export function Grants({ path, label, value, onInput }: Props) {
  const grants = Array.isArray(value) ? value.filter(isRecord) : [];
  const change = (place: number, key: string, word: string): void =>
    onInput(grants.map((grant, index) => (index === place ? { ...grant, [key]: word } : grant)));
  const keys = [
    ["funder", text.funder],
    ["grantNumber", text.grantNumber],
    ["grantTitle", text.grantTitle],
  ] as const;
  return (
    <fieldset class="field stack-tight">
      <legend class="field-label">{label}</legend>
      {grants.map((grant, place) => (
        <div key={place} class="line">
          {keys.map(([key, name]) => (
            <TextField
              key={key}
              name={`${path}.${place}.${key}`}
              label={name}
              value={textOf(grant[key])}
              onInput={(word) => change(place, key, word)}
            />
          ))}
          <Button
            look="quiet"
            icon="trash"
            label={text.removeGrant}
            onClick={() => onInput(grants.filter((_, index) => index !== place))}
          />
        </div>
      ))}
      <div>
        <Button icon="add" onClick={() => onInput([...grants, {}])}>
          {text.addGrant}
        </Button>
      </div>
    </fieldset>
  );
}
