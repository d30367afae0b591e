import { useComputed, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { text } from "../text/en/grid";
import { GridBody } from "./body";
import type { Choice, Suggest } from "./choices";
import { readTable } from "./clipboard";
import { type Edited, GridEditor } from "./editor";
import { GridHead } from "./head";
import { goOn, pressed } from "./keys";
import type { GridModel } from "./model";
import { planPaste } from "./paste";
import { pointing } from "./pointer";
import { cellId } from "./row";
import { START } from "./selection";
import type { Column, Place } from "./table";
import { scrollFor, windowAt } from "./window";

interface Props {
  label: string;
  model: GridModel;
  suggest?: Suggest | undefined;
  isReadOnly?: boolean | undefined;
  onFind: () => void;
  /** What stands under the grid, in its frame. */
  children?: ComponentChildren;
}

const WIDTHS = {
  longText: 240,
  organism: 220,
  text: 170,
  select: 170,
  multiselect: 190,
  date: 120,
  barcode: 130,
} as const;
const NARROW = 110;

/** A table that behaves like a spreadsheet. Its rows are drawn as they come into sight. */
export function Grid({ label, model, suggest, isReadOnly, onFind, children }: Props) {
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const edited = useSignal<Edited | null>(null);
  const tabbedFrom = useRef<number | null>(null);
  const view = useSignal({ scrolled: 0, height: 600, rowHeight: 36 });
  const window = useComputed(() => {
    const { scrolled, height, rowHeight } = view.value;
    return windowAt(scrolled, height, rowHeight, model.shown.value.length);
  });
  const first = useComputed(() => window.value.first).value;
  const end = useComputed(() => window.value.end).value;
  const rowHeight = useComputed(() => view.value.rowHeight).value;
  const columns = model.columns.value;
  const { focus } = model.selection.value;
  const activeRow = model.rows.value[model.shown.value[focus.row] ?? -1];

  const measure = (): void => {
    const box = frame.current;
    const row = table.current?.querySelector(".grid-body > .grid-row");
    if (box === null || row === null || row === undefined) return;
    const height = row.getBoundingClientRect().height;
    view.value = { scrolled: box.scrollTop, height: box.clientHeight, rowHeight: height > 0 ? height : 36 };
  };
  useEffect(() => {
    const box = frame.current;
    if (box === null) return;
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    // WHY: a page that goes away takes what is in the open cell with it, unless it is written down before.
    const leave = (): void => commit(input.current?.value ?? "", null, null);
    addEventListener("pagehide", leave, { capture: true });
    return () => {
      observer.disconnect();
      removeEventListener("pagehide", leave, { capture: true });
    };
  }, []);

  const show = ({ row, column }: Place): void => {
    const box = frame.current;
    if (box === null) return;
    box.scrollTop = scrollFor(row, box.scrollTop, box.clientHeight, rowHeight, headHeight(box, rowHeight));
    if (column === 0) box.scrollLeft = 0;
    else
      table.current
        ?.querySelector(`[data-header="${column}"]`)
        ?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  useEffect(() => {
    if (table.current?.contains(document.activeElement) || edited.value !== null) show(focus);
  }, [focus.row, focus.column]);

  const edit = (withText: boolean): void => {
    const place = model.selection.value.focus;
    const column = model.columns.value[place.column];
    const field = input.current;
    if (isReadOnly || column === undefined || column.isFixed) return;
    if (field === null || frame.current === null) return;
    show(place);
    measure();
    const row = model.rows.value[model.shown.value[place.row] ?? -1];
    const value = withText ? model.textAt(place) : "";
    edited.value = { place, number: model.numberAt(place.row), column, text: value };
    field.value = value;
    // WHY: shown at once, not with the next rendering: the key that opened it goes into it.
    placeEditor(
      field,
      frame.current,
      document.getElementById(cellId(id, row, place.column)),
      place,
      rowHeight,
    );
    field.focus();
    field.setSelectionRange(value.length, value.length);
  };

  const close = (): Edited | null => {
    const open = edited.value;
    edited.value = null;
    if (open !== null && document.activeElement === input.current)
      table.current?.focus({ preventScroll: true });
    return open;
  };
  const commit = (typed: string, choice: Choice | null, event: KeyboardEvent | null): void => {
    const open = close();
    if (open === null) return;
    if (choice !== null) model.choose(open.place.row, choice.texts);
    else if (typed !== open.text || open.text !== model.textAt(open.place)) model.type(open.place, typed);
    if (event?.key === "Tab") tabbedFrom.current ??= open.place.column;
    if (event?.key === "Enter" || event?.key === "Tab")
      goOn(model, event.key, event.shiftKey, tabbedFrom.current);
    if (event?.key === "Enter") tabbedFrom.current = null;
  };

  const press = (event: KeyboardEvent): void => {
    if (event.key === "Tab" && tabbedFrom.current !== null) {
      goOn(model, "Tab", event.shiftKey, null);
      event.preventDefault();
      return;
    }
    if (event.key !== "Enter" && [...event.key].length > 1) tabbedFrom.current = null;
    const page = Math.max(1, Math.floor(view.value.height / rowHeight) - 2);
    if (pressed(event, model, { page: () => page, edit, openFind: onFind })) event.preventDefault();
  };
  const copy = (event: ClipboardEvent): void => {
    event.clipboardData?.setData("text/plain", model.copied());
    event.preventDefault();
  };

  const template = columns.map((column, index) => widthOf(column, index === columns.length - 1)).join(" ");
  return (
    <div class="grid-frame">
      <div class="grid" ref={frame} onScroll={measure} style={{ "--grid-columns": template }}>
        <div
          ref={table}
          id={id}
          role="grid"
          class="grid-table"
          tabIndex={0}
          aria-label={label}
          aria-rowcount={model.shown.value.length + 1}
          aria-colcount={columns.length + 1}
          aria-multiselectable="true"
          aria-readonly={isReadOnly}
          aria-activedescendant={cellId(id, activeRow, focus.column)}
          aria-describedby={`${id}-keys`}
          onKeyDown={press}
          onCopy={copy}
          onCut={(event) => {
            copy(event);
            if (!isReadOnly) model.clear();
          }}
          onPaste={(event) => {
            event.preventDefault();
            const cells = readTable(event.clipboardData?.getData("text/plain") ?? "");
            const { top, left } = model.area;
            const from = model.filled.value === 0 ? START.focus : { row: top, column: left };
            if (cells.length > 0 && !isReadOnly)
              model.pasteTable(planPaste(cells, columns, { ...from, column: left }));
          }}
          onFocus={() => show(model.selection.value.focus)}
          onBlur={(event) => {
            if (event.relatedTarget !== input.current) tabbedFrom.current = null;
          }}
          {...pointing(model, () => edit(true))}
        >
          <GridHead columns={columns} />
          <GridBody id={id} model={model} window={{ first, end }} rowHeight={rowHeight} />
        </div>
        <GridEditor
          id={id}
          edited={edited.value}
          input={input}
          suggest={suggest}
          onCommit={commit}
          onCancel={close}
        />
      </div>
      <p class="grid-keys" id={`${id}-keys`}>
        {text.keys}
      </p>
      {children}
    </div>
  );
}

/** The last column takes the room that is left. */
function widthOf({ kind, label, unit }: Column, isLast: boolean): string {
  const kindly = Object.entries(WIDTHS).find(([name]) => name === kind)?.[1] ?? NARROW;
  const width = Math.max(kindly, 24 + 8 * (label.length + (unit?.length ?? 0) + 2));
  return isLast ? `minmax(${width}px, 1fr)` : `${width}px`;
}

/** The head is higher than a row where columns have groups. */
function headHeight(frame: HTMLElement, rowHeight: number): number {
  return frame.querySelector(".grid-head")?.getBoundingClientRect().height ?? rowHeight;
}

function placeEditor(
  field: HTMLTextAreaElement,
  frame: HTMLElement,
  cell: HTMLElement | null,
  place: Place,
  rowHeight: number,
): void {
  const box = field.parentElement;
  if (box === null) return;
  const around = frame.getBoundingClientRect();
  const there = cell?.getBoundingClientRect();
  const left = (there?.left ?? around.left) - around.left + frame.scrollLeft - frame.clientLeft;
  box.hidden = false;
  box.style.insetInlineStart = `${left}px`;
  box.style.insetBlockStart = `${headHeight(frame, rowHeight) + place.row * rowHeight}px`;
  box.style.inlineSize = `${there?.width ?? 200}px`;
  const list = box.querySelector<HTMLElement>("[popover]");
  if (list === null) return;
  const top = there?.bottom ?? around.top;
  list.style.insetInlineStart = `${there?.left ?? around.left}px`;
  list.style.insetBlockStart = `${top}px`;
  list.style.maxBlockSize = `${Math.max(120, innerHeight - top - 12)}px`;
  list.style.minInlineSize = `${there?.width ?? 200}px`;
}
