import { useSignal, useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../parts/button";
import { text } from "../text/en/grid";
import { findAll, type Query, replacements } from "./find";
import type { GridModel } from "./model";
import { areaOf, at, isOneCell } from "./selection";
import type { Area, Place } from "./table";

/** Find and replace, above the grid. A selection of several cells is what is searched. */
export function FindBar({ model, onClose }: { model: GridModel; onClose: () => void }) {
  const query = useSignal<Query>({ text: "", matchCase: false, wholeCell: false });
  const replacement = useSignal("");
  const field = useRef<HTMLInputElement>(null);
  // Before it is painted: what is typed right after the key belongs in here, not in the cell.
  useLayoutEffect(() => field.current?.focus(), []);
  const within = useSignal<Area | null>(null);
  const steppedTo = useRef<Place | null>(null);
  useSignalEffect(() => {
    const selection = model.selection.value;
    const { focus } = selection;
    const isStep = steppedTo.current?.row === focus.row && steppedTo.current.column === focus.column;
    // WHY a step keeps it: going to what was found selects that cell alone.
    if (!isOneCell(selection)) within.value = areaOf(selection);
    else if (!isStep) within.value = null;
  });
  const found = findAll(model.rows.value, model.shown.value, query.value, within.value);

  const goToNext = (): void => {
    const { row, column } = model.selection.value.focus;
    const later = found.find((place) => place.row > row || (place.row === row && place.column > column));
    const next = later ?? found[0];
    if (next === undefined) return;
    steppedTo.current = next;
    model.select(at(next));
  };
  const replaceAll = (): void =>
    model.replace(replacements(model.rows.value, model.shown.value, found, query.value, replacement.value));

  return (
    <search
      class="grid-strip"
      aria-label={text.findTitle}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
        if (event.key === "Enter" && event.target === field.current) goToNext();
      }}
    >
      <label class="line">
        {text.findText}
        <input
          ref={field}
          class="control"
          type="search"
          value={query.value.text}
          onInput={(event) => (query.value = { ...query.value, text: event.currentTarget.value })}
        />
      </label>
      <label class="line">
        {text.replaceText}
        <input
          class="control"
          type="text"
          value={replacement.value}
          onInput={(event) => (replacement.value = event.currentTarget.value)}
        />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={query.value.matchCase}
          onChange={(event) => (query.value = { ...query.value, matchCase: event.currentTarget.checked })}
        />
        {text.matchCase}
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={query.value.wholeCell}
          onChange={(event) => (query.value = { ...query.value, wholeCell: event.currentTarget.checked })}
        />
        {text.wholeCell}
      </label>
      <span role="status">{query.value.text !== "" && text.found(found.length, within.value !== null)}</span>
      <Button onClick={goToNext}>{text.next}</Button>
      <Button onClick={replaceAll}>{text.replaceAll(found.length)}</Button>
      <Button look="quiet" icon="close" label={text.dismiss} onClick={onClose} />
    </search>
  );
}
