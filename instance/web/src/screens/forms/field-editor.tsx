import { Button } from "../../parts/button";
import { SelectField, TextArea, TextField } from "../../parts/field";
import type { FormField } from "../../questions/form";
import { text } from "../../text/en/forms";
import { removeField } from "./actions";
import type { Builder } from "./builder";
import { FieldChecks } from "./field-checks";
import { FieldLimits } from "./field-limits";
import { type Change, changed, freeName, groupsOf, placed, stepped, withField } from "./form";
import { errorsOf } from "./refusals";

type Type = FormField["type"];
type Word = "label" | "name" | "helpText" | "placeholder" | "example";

/** Everything that a question is, each where it is changed. The service says what can't be. */
export function FieldEditor({ builder, field }: { builder: Builder; field: FormField }) {
  const form = builder.form.value;
  const errors = errorsOf(builder, field.id);
  const set = (change: Change, isTyped = false): void => {
    const place = isTyped ? `${field.id} ${Object.keys(change).join(" ")}` : null;
    builder.change(withField(builder.form.value, changed(field, change)), place);
  };
  const isNew = !builder.saved.value.fields.some(({ id }) => id === field.id);
  // The name of a new question follows its label, until somebody gives it another one.
  const relabel = (label: string): void => {
    const isDerived = isNew && field.name === freeName(form, field.label, field.id);
    set(isDerived ? { label, name: freeName(form, label, field.id) } : { label }, true);
  };
  const word = (key: Word) => ({
    name: `chosen.${key}`,
    error: errors.get(key),
    value: String(field[key] ?? ""),
    onInput: (typed: string) => set({ [key]: typed } as Change, true),
  });
  return (
    <div class="stack">
      <h2>{field.label}</h2>
      {errors.has("") && <p class="field-error">{errors.get("")}</p>}
      <TextField {...word("label")} label={text.label} help={text.labelHelp} onInput={relabel} />
      <SelectField
        name="chosen.type"
        label={text.type}
        error={errors.get("type")}
        value={field.type}
        onInput={(type) => set({ type: type as Type })}
        choices={Object.entries(text.types)
          .filter(([type]) => type === field.type || builder.source.types.some((one) => one === type))
          .map(([value, label]) => ({ value, label }))}
      />
      {(field.type === "select" || field.type === "multiselect") && (
        <TextArea
          name="chosen.options"
          label={text.options}
          help={text.optionsHelp}
          error={errors.get("options")}
          value={field.options.join("\n")}
          onInput={(typed) => set({ options: typed.split("\n") }, true)}
          onBlur={() => set({ options: field.options.map((one) => one.trim()).filter(Boolean) }, true)}
        />
      )}
      {field.type === "number" && (
        <TextField
          name="chosen.units"
          label={text.unit}
          error={errors.get("units")}
          value={field.units?.[0] ?? ""}
          onInput={(unit) => set({ units: unit === "" ? undefined : [unit] }, true)}
        />
      )}
      <TextArea {...word("helpText")} label={text.help} help={text.helpHelp} rows={2} />
      <FieldChecks field={field} isOrder={builder.source.isOrder} set={set} />
      <SelectField
        name="chosen.groupId"
        label={text.inGroup}
        none={text.noGroup}
        error={errors.get("groupId")}
        value={field.groupId ?? ""}
        onInput={(id) =>
          builder.change(
            placed(form, field, { groupId: id === "" ? null : id, perSample: field.perSample }, null),
          )
        }
        choices={groupsOf(form).map(({ id, name }) => ({ value: id, label: name }))}
      />
      <FieldLimits key={field.type} field={field} errors={errors} set={set} />
      <details>
        <summary>{text.forPrograms}</summary>
        <div class="stack">
          <TextField {...word("name")} label={text.name} help={text.nameHelp} isCode />
          <TextField {...word("placeholder")} label={text.placeholder} />
          <TextField {...word("example")} label={text.example} />
          <SelectField
            name="chosen.moduleSource"
            label={text.module}
            help={text.moduleHelp}
            none={text.noModule}
            value={field.moduleSource ?? ""}
            onInput={(id) =>
              set({ moduleSource: id === "" ? undefined : (id as NonNullable<FormField["moduleSource"]>) })
            }
            choices={Object.entries(text.modules).map(([value, label]) => ({ value, label }))}
          />
          {field.systemKey && <p class="muted">{text.fills(field.systemKey)}</p>}
        </div>
      </details>
      <div class="line">
        <Button icon="up" onClick={() => builder.change(stepped(builder.form.value, field.id, -1))}>
          {text.up}
        </Button>
        <Button icon="down" onClick={() => builder.change(stepped(builder.form.value, field.id, 1))}>
          {text.down}
        </Button>
        <Button look="quiet" icon="trash" onClick={() => removeField(builder, field)}>
          {text.remove}
        </Button>
      </div>
    </div>
  );
}
