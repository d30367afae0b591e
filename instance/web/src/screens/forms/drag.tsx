import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { FormField } from "../../questions/form";
import { text } from "../../text/en/forms";
import type { Builder } from "./builder";
import { findField, groupsOf, type Lane, laneOf, placed, stepped } from "./form";

/** How fields are moved: by keys one place, by the mouse to where it lets go. */
export interface Moves {
  readonly dragged: Signal<string | null>;
  step(id: string, step: 1 | -1): void;
  /** Let go over another field, or over the rest of a lane. */
  drop(lane: Lane, beforeId: string | null): void;
}

export const handleId = (id: string): string => `handle-${id}`;

export function movesOf(
  builder: Builder,
  dragged: Signal<string | null>,
  say: (words: string) => void,
): Moves {
  const tell = (id: string): void => {
    const form = builder.form.value;
    const field = findField(form, id);
    if (field === undefined) return;
    const lane = laneOf(form, field);
    const group = groupsOf(form).find((one) => one.id === field.groupId)?.name ?? text.noGroup;
    say(text.moved(field.label, lane.findIndex((one) => one.id === id) + 1, lane.length, group));
  };
  return {
    dragged,
    step(id, step) {
      const before = builder.form.value;
      const after = stepped(before, id, step);
      if (after === before) say(text.atEdge(findField(before, id)?.label ?? ""));
      else {
        builder.change(after);
        tell(id);
        // WHY: a field that enters another group is drawn anew there, and whoever moves it goes on moving it.
        requestAnimationFrame(() => document.getElementById(handleId(id))?.focus());
      }
    },
    drop(lane, beforeId) {
      const field = findField(builder.form.value, dragged.value);
      dragged.value = null;
      if (field === undefined || field.id === beforeId || field.perSample !== lane.perSample) return;
      builder.change(placed(builder.form.value, field, lane, beforeId));
      tell(field.id);
    },
  };
}

interface DroppingProps {
  moves: Moves;
  lane: Lane;
  children: ComponentChildren;
}

/** A list of fields that takes what is dropped below them. */
export function Dropping({ moves, lane, children }: DroppingProps) {
  return (
    <ol
      class="form-fields"
      onDragOver={(event) => moves.dragged.value !== null && event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        moves.drop(lane, null);
      }}
    >
      {children}
    </ol>
  );
}

/** What an item of such a list needs to be dropped on: what is dragged comes before it. */
export function droppedOn(moves: Moves, field: FormField) {
  return {
    onDragOver: (event: DragEvent): void => {
      if (moves.dragged.value !== null) event.preventDefault();
    },
    onDrop: (event: DragEvent): void => {
      event.preventDefault();
      event.stopPropagation();
      moves.drop(field, field.id);
    },
  };
}

/** What the handle of an item needs to be dragged, and to be moved by keys. */
export function draggedBy(moves: Moves, field: FormField) {
  return {
    draggable: true,
    onDragStart: (event: DragEvent): void => {
      event.dataTransfer?.setData("text/plain", field.label);
      moves.dragged.value = field.id;
    },
    onDragEnd: (): void => {
      moves.dragged.value = null;
    },
    onKeyDown: (event: KeyboardEvent): void => {
      const step = ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key as "ArrowUp" | "ArrowDown"];
      if (step === undefined) return;
      event.preventDefault();
      moves.step(field.id, step);
    },
  };
}
