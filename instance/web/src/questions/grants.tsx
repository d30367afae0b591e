import { textOf } from "../grid/form-columns";
import { Button } from "../parts/button";
import { type FieldProps, TextField } from "../parts/field";
import { FieldGroup } from "../parts/field-group";
import { text } from "../text/en/questions";
import { isRecord } from "./form";

interface Props extends FieldProps {
  value: unknown;
  onInput: (value: Record<string, unknown>[]) => void;
}

const PARTS = [
  ["funder", text.funder],
  ["grantNumber", text.grantNumber],
  ["grantTitle", text.grantTitle],
] as const;

/** A list of grants that pay for something. */
export function Grants({ value, onInput, ...shared }: Props) {
  const grants = Array.isArray(value) ? value.filter(isRecord) : [];
  const change = (place: number, key: string, word: string): void =>
    onInput(grants.map((grant, index) => (index === place ? { ...grant, [key]: word } : grant)));
  return (
    <FieldGroup {...shared}>
      {grants.map((grant, place) => (
        <div key={place} class="line">
          {PARTS.map(([key, label]) => (
            <TextField
              key={key}
              name={`${shared.name}.${place}.${key}`}
              label={label}
              value={textOf(grant[key])}
              onInput={(word) => change(place, key, word)}
            />
          ))}
          <Button
            look="quiet"
            icon="trash"
            label={text.removeGrant(place + 1)}
            onClick={() => onInput(grants.filter((_, index) => index !== place))}
          />
        </div>
      ))}
      <div>
        <Button icon="add" onClick={() => onInput([...grants, {}])}>
          {text.addGrant}
        </Button>
      </div>
    </FieldGroup>
  );
}
