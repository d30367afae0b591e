import type { ComponentChildren, JSX, PartialInputHTMLAttributes } from "preact";
import { text } from "../text/en/common";

/** Where a field stands in the page: a summary of errors leads there. `name` is the path that the API uses. */
export const fieldId = (name: string): string => `field-${name}`;

interface Aria {
  id: string;
  name: string;
  required: boolean | undefined;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

export interface FieldProps {
  /** The path of the value in the API, `customFields.volumeUl`. */
  name: string;
  label: string;
  help?: ComponentChildren;
  error?: string | undefined;
  required?: boolean | undefined;
  /** Say `optional` beside the label: for forms in which most is required. */
  sayOptional?: boolean | undefined;
}

interface FrameProps extends FieldProps {
  children: (aria: Aria) => JSX.Element;
}

/** The help and the error of a field, and the ids for its `aria-describedby`. */
export function notesOf(id: string, help: ComponentChildren, error: string | undefined) {
  return {
    describedBy:
      [help ? `${id}-help` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ") || undefined,
    help: help && (
      <p class="field-help" id={`${id}-help`}>
        {help}
      </p>
    ),
    error: error && (
      <p class="field-error" id={`${id}-error`}>
        {error}
      </p>
    ),
  };
}

/** Label, help and error of any control, tied to it for screen readers. */
export function Field({ name, label, help, error, required, sayOptional, children }: FrameProps) {
  const id = fieldId(name);
  const notes = notesOf(id, help, error);
  return (
    <div class="field">
      <label for={id}>
        {label}
        {sayOptional && !required && <span class="muted"> ({text.optional})</span>}
      </label>
      {notes.help}
      {children({
        id,
        name,
        required,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": notes.describedBy,
      })}
      {notes.error}
    </div>
  );
}

interface Value {
  value: string;
  onInput: (value: string) => void;
  onBlur?: (() => void) | undefined;
}

type TextKind = "text" | "email" | "password" | "search" | "date";

/** One branch a kind: the types of the controls tell them apart. */
function Input({
  kind,
  ...control
}: Omit<PartialInputHTMLAttributes<HTMLInputElement>, "role" | "type"> & { kind: TextKind }) {
  if (kind === "email") return <input {...control} type="email" />;
  if (kind === "password") return <input {...control} type="password" />;
  if (kind === "search") return <input {...control} type="search" />;
  if (kind === "date") return <input {...control} type="date" />;
  return <input {...control} type="text" />;
}

interface TextFieldProps extends FieldProps, Value {
  type?: TextKind | undefined;
  autocomplete?: string | undefined;
  placeholder?: string | undefined;
  maxLength?: number | undefined;
  isCode?: boolean | undefined;
  readOnly?: boolean | undefined;
  /** The keys that a telephone shows. */
  inputMode?: "numeric" | undefined;
}

export function TextField(props: TextFieldProps) {
  const { value, onInput, onBlur, type = "text", isCode } = props;
  return (
    <Field {...props}>
      {(aria) => (
        <Input
          {...aria}
          class={isCode ? "control mono" : "control"}
          kind={type}
          value={value}
          autocomplete={props.autocomplete ?? "off"}
          placeholder={props.placeholder}
          maxLength={props.maxLength}
          readOnly={props.readOnly}
          inputMode={props.inputMode}
          onInput={(event) => onInput(event.currentTarget.value)}
          onBlur={onBlur}
        />
      )}
    </Field>
  );
}

/** Text with suggestions that one may take or leave. */
export function SuggestField(props: FieldProps & Value & { suggestions: readonly string[] }) {
  return (
    <Field {...props}>
      {(aria) => (
        <>
          <input
            {...aria}
            class="control"
            value={props.value}
            autocomplete="off"
            list={`${aria.id}-list`}
            onInput={(event) => props.onInput(event.currentTarget.value)}
            onBlur={props.onBlur}
          />
          <datalist id={`${aria.id}-list`}>
            {props.suggestions.map((suggestion) => (
              <option key={suggestion} value={suggestion} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

interface TextAreaProps extends FieldProps, Value {
  rows?: number | undefined;
  maxLength?: number | undefined;
}

export function TextArea(props: TextAreaProps) {
  return (
    <Field {...props}>
      {(aria) => (
        <textarea
          {...aria}
          class="control"
          rows={props.rows ?? 5}
          maxLength={props.maxLength}
          value={props.value}
          onInput={(event) => props.onInput(event.currentTarget.value)}
          onBlur={props.onBlur}
        />
      )}
    </Field>
  );
}

export interface Choice {
  value: string;
  label: string;
  help?: ComponentChildren;
  /** Why it can't be chosen. */
  refusal?: string | undefined;
}

interface SelectProps extends FieldProps, Value {
  choices: readonly Choice[];
  /** What stands there before anything is chosen; without it the first choice is. */
  none?: string | undefined;
}

export function SelectField(props: SelectProps) {
  return (
    <Field {...props}>
      {(aria) => (
        <select
          {...aria}
          class="control"
          value={props.value}
          onChange={(event) => props.onInput(event.currentTarget.value)}
          onBlur={props.onBlur}
        >
          {props.none !== undefined && <option value="">{props.none}</option>}
          {props.choices.map(({ value, label, refusal }) => (
            <option key={value} value={value} disabled={Boolean(refusal)}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface NumberFieldProps extends FieldProps, Value {
  unit?: string | undefined;
}

/** A text control: people write `1,5` and paste `1.5`, and the server says what it takes. */
export function NumberField(props: NumberFieldProps) {
  return (
    <Field {...props}>
      {(aria) => (
        <span class="control-unit">
          <input
            {...aria}
            class="control number"
            type="text"
            inputMode="decimal"
            autocomplete="off"
            value={props.value}
            onInput={(event) => props.onInput(event.currentTarget.value)}
            onBlur={props.onBlur}
          />
          {props.unit && <span class="muted">{props.unit}</span>}
        </span>
      )}
    </Field>
  );
}
