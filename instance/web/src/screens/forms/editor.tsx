import { Button } from "../../parts/button";
import { TextField } from "../../parts/field";
import type { FormGroup } from "../../questions/form";
import { text } from "../../text/en/forms";
import { removeGroup } from "./actions";
import type { Builder } from "./builder";
import { FieldEditor } from "./field-editor";
import { steppedGroup, withGroup } from "./form";

/** What is chosen, and may be changed. */
export function Editor({ builder }: { builder: Builder }) {
  const field = builder.chosenField;
  const group = builder.form.value.groups.find(({ id }) => id === builder.chosen.value);
  if (field) {
    return (
      <section class="card form-editor" aria-label={text.question}>
        <FieldEditor key={field.id} builder={builder} field={field} />
      </section>
    );
  }
  return (
    <section class="card form-editor" aria-label={text.group}>
      {group ? (
        <GroupEditor key={group.id} builder={builder} group={group} />
      ) : (
        <p class="muted">{text.chooseFirst}</p>
      )}
    </section>
  );
}

function GroupEditor({ builder, group }: { builder: Builder; group: FormGroup }) {
  const { form } = builder;
  return (
    <div class="stack">
      <h2>{group.name}</h2>
      <TextField
        name="chosen.label"
        label={text.groupName}
        value={group.name}
        onInput={(name) => builder.change(withGroup(form.value, { ...group, name }), group.id)}
      />
      <div class="line">
        <Button icon="up" onClick={() => builder.change(steppedGroup(form.value, group.id, -1))}>
          {text.up}
        </Button>
        <Button icon="down" onClick={() => builder.change(steppedGroup(form.value, group.id, 1))}>
          {text.down}
        </Button>
        <Button look="quiet" icon="trash" onClick={() => removeGroup(builder, group.id, group.name)}>
          {text.remove}
        </Button>
      </div>
    </div>
  );
}
