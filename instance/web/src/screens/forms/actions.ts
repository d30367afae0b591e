/** What the buttons of the builder do, with what is chosen afterwards. */

import { toast } from "../../parts/toast";
import type { FormField } from "../../questions/form";
import { text } from "../../text/en/forms";
import type { Builder } from "./builder";
import { type Lane, newField, newGroup, placed, withGroup, withoutField, withoutGroup } from "./form";

/** The label of the chosen part: what is new is named first. */
const LABEL = "chosen.label";

export function addField(builder: Builder, lane: Lane): void {
  const form = builder.form.value;
  const field = newField(form, lane, lane.perSample ? text.newColumn : text.newQuestion);
  builder.change(placed(form, field, lane, null));
  choose(builder, field.id);
}

export function addGroup(builder: Builder): void {
  const group = newGroup(text.newGroup);
  builder.change(withGroup(builder.form.value, group));
  choose(builder, group.id);
}

/** Choose a part, and go on at its label. */
export function choose(builder: Builder, id: string): void {
  builder.chosen.value = id;
  requestAnimationFrame(() => {
    const control = document.getElementById(`field-${LABEL}`);
    if (control instanceof HTMLInputElement) {
      control.focus();
      control.select();
    }
  });
}

export function removeField(builder: Builder, { id, label }: FormField): void {
  builder.change(withoutField(builder.form.value, id));
  builder.chosen.value = null;
  toast(text.removed(label), () => builder.undo());
}

export function removeGroup(builder: Builder, id: string, name: string): void {
  builder.change(withoutGroup(builder.form.value, id));
  builder.chosen.value = null;
  toast(text.groupRemoved(name), () => builder.undo());
}
