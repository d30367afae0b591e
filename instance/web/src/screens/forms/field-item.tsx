import { useSignal } from "@preact/signals";
import { textOf } from "../../grid/form-columns";
import { Button } from "../../parts/button";
import { Chip } from "../../parts/chip";
import { Icon } from "../../parts/icon";
import { ChecklistField } from "../../questions/checklist-field";
import { type FormField, isRecord } from "../../questions/form";
import { hasCards, isArchivePlatform, Platforms } from "../../questions/platforms";
import { Question } from "../../questions/question";
import { text } from "../../text/en/forms";
import type { Builder } from "./builder";
import { draggedBy, droppedOn, handleId, type Moves } from "./drag";

interface Props {
  builder: Builder;
  moves: Moves;
  field: FormField;
}

/** A question as a researcher sees it, or what a column asks, with its handle and its button. */
export function FieldItem({ builder, moves, field }: Props) {
  const isChosen = builder.chosen.value === field.id;
  return (
    <li
      class="form-field"
      data-chosen={isChosen || undefined}
      data-dragged={moves.dragged.value === field.id || undefined}
      {...droppedOn(moves, field)}
    >
      <button
        id={handleId(field.id)}
        type="button"
        class="form-handle"
        aria-label={text.move(field.label)}
        aria-description={text.moveHow}
        title={text.moveHow}
        {...draggedBy(moves, field)}
      >
        <Icon name="drag" />
      </button>
      <div class="form-shown">
        {field.perSample ? (
          <Named field={field} remark={[text.types[field.type], ...(field.units ?? [])].join(", ")} />
        ) : (
          <Shown builder={builder} field={field} />
        )}
        <Remarks field={field} />
      </div>
      <Button
        look="quiet"
        icon="edit"
        label={text.edit(field.label)}
        isPressed={isChosen}
        onClick={() => (builder.chosen.value = field.id)}
      />
    </li>
  );
}

/** What is typed here is kept nowhere: it is there to see how the question takes it. */
function Shown({ builder, field }: { builder: Builder; field: FormField }) {
  const value = useSignal<unknown>(field.defaultValue ?? null);
  const set = (next: unknown): void => {
    value.value = next;
  };
  const path = `preview.${field.id}`;
  const shared = { name: path, label: field.label, help: field.helpText, required: field.required };
  if (field.type === "sequencing-tech") {
    const { technologies } = builder;
    if (technologies.length === 0) return <Named field={field} remark={text.noCatalog} />;
    return (
      <Platforms
        {...shared}
        technologies={technologies}
        value={value.value}
        platforms={undefined}
        onChoose={set}
      />
    );
  }
  if (field.type === "mixs" && !builder.source.isOrder)
    return <Named field={field} remark={text.checklistApart} />;
  if (field.type === "mixs") {
    return (
      <ChecklistField
        {...shared}
        offered={builder.form.value.enabledMixsChecklists}
        value={isRecord(value.value) ? textOf(value.value.checklist) : ""}
        onInput={(checklist) => set({ checklist })}
      />
    );
  }
  if (isArchivePlatform(field) && hasCards(builder.form.value.fields, builder.technologies))
    return <Named field={field} remark={text.filledByCard} />;
  return <Question field={field} path={path} value={value.value} onInput={set} />;
}

/** What is asked, where it can't be shown as it is asked. */
function Named({ field, remark }: { field: FormField; remark: string }) {
  return (
    <div class="stack-tight">
      <span>
        <strong>{field.label}</strong> <span class="muted">{remark}</span>
      </span>
      {field.helpText && <span class="field-help">{field.helpText}</span>}
    </div>
  );
}

function Remarks({ field }: { field: FormField }) {
  const { required, adminOnly, visible, moduleSource } = field;
  if (!(required || adminOnly || !visible || moduleSource)) return null;
  return (
    <p class="line">
      {required && <Chip>{text.required}</Chip>}
      {adminOnly && <Chip>{text.forFacility}</Chip>}
      {!visible && <Chip>{text.hidden}</Chip>}
      {moduleSource && <span class="muted">{text.asksNobody(text.modules[moduleSource])}</span>}
    </p>
  );
}
