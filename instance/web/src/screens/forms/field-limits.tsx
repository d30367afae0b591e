import { useSignal } from "@preact/signals";
import { NumberField, TextField } from "../../parts/field";
import type { FormField } from "../../questions/form";
import { text } from "../../text/en/forms";
import type { Change } from "./form";

type Bounds = NonNullable<FormField["validation"]>;
type NumberKey = "min" | "max" | "minLength" | "maxLength";

interface Props {
  field: FormField;
  /** By the path beneath the field. */
  errors: ReadonlyMap<string, string>;
  set: (change: Change, isTyped: boolean) => void;
}

const TEXTS: readonly FormField["type"][] = ["text", "textarea", "barcode"];

/** What an answer has to be, by its type: numbers have bounds, texts lengths and a pattern. */
export function FieldLimits({ field, errors, set }: Props) {
  const isText = TEXTS.includes(field.type);
  if (!isText && field.type !== "number") return null;
  const bounds = field.validation ?? {};
  const change = (next: Partial<Record<keyof Bounds, string | number | undefined>>): void => {
    const kept = Object.entries({ ...bounds, ...next }).filter(
      ([, value]) => value !== undefined && value !== "",
    );
    set({ validation: kept.length === 0 ? undefined : (Object.fromEntries(kept) as Bounds) }, true);
  };
  const numbers: readonly (readonly [NumberKey, string])[] = isText
    ? [
        ["minLength", text.minLength],
        ["maxLength", text.maxLength],
      ]
    : [
        ["min", text.min],
        ["max", text.max],
      ];
  return (
    <fieldset class="stack">
      <legend class="field-label">{text.limits}</legend>
      {numbers.map(([key, label]) => (
        <Bound
          key={key}
          name={`chosen.validation.${key}`}
          label={label}
          error={errors.get(`validation.${key}`)}
          value={bounds[key]}
          onNumber={(value) => change({ [key]: value })}
        />
      ))}
      {isText && (
        <>
          <TextField
            name="chosen.validation.pattern"
            label={text.pattern}
            help={text.patternHelp}
            error={errors.get("validation.pattern")}
            isCode
            value={bounds.pattern ?? ""}
            onInput={(pattern) => change({ pattern })}
          />
          <TextField
            name="chosen.validation.patternMessage"
            label={text.patternMessage}
            value={bounds.patternMessage ?? ""}
            onInput={(patternMessage) => change({ patternMessage })}
          />
        </>
      )}
    </fieldset>
  );
}

interface BoundProps {
  name: string;
  label: string;
  error: string | undefined;
  value: number | undefined;
  onNumber: (value: number | undefined) => void;
}

/** A number, or none. What is no number yet stands as it was typed and changes nothing. */
function Bound({ name, label, error, value, onNumber }: BoundProps) {
  const typed = useSignal<string | null>(null);
  const type = (words: string): void => {
    const number = Number(words.trim().replace(",", "."));
    typed.value = words.trim() !== "" && !Number.isFinite(number) ? words : null;
    if (typed.value === null) onNumber(words.trim() === "" ? undefined : number);
  };
  return (
    <NumberField
      name={name}
      label={label}
      error={typed.value === null ? error : text.notNumber}
      value={typed.value ?? (value === undefined ? "" : String(value))}
      onInput={type}
    />
  );
}
