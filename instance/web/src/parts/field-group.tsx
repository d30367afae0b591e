import type { ComponentChildren } from "preact";
import { type FieldProps, fieldId, notesOf } from "./field";

interface Props extends FieldProps {
  children: ComponentChildren;
}

/** Controls that are one answer together. A summary of errors leads to the group, which then has the focus. */
export function FieldGroup({ name, label, help, error, children }: Props) {
  const id = fieldId(name);
  const notes = notesOf(id, help, error);
  return (
    <fieldset class="field" id={id} tabIndex={-1} aria-describedby={notes.describedBy}>
      <legend class="field-label">{label}</legend>
      {notes.help}
      {children}
      {notes.error}
    </fieldset>
  );
}
