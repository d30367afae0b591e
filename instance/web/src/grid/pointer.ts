/** Selecting with a mouse or a finger, and filling by the handle at the corner of the selection. */
import type { GridModel } from "./model";
import { everything, wholeColumn, wholeRows } from "./selection";
import type { Place } from "./table";

interface Pointing {
  onPointerDown: (event: PointerEvent) => void;
  onDblClick: (event: MouseEvent) => void;
}

/** The corner of a cell that counts as the fill handle, in pixels. */
const HANDLE = 9;

export function pointing(model: GridModel, edit: () => void): Pointing {
  return {
    onPointerDown(event) {
      if (event.button !== 0) return;
      const hit = hitOf(event.target);
      if (hit === null) return;
      if (hit.kind !== "cell") {
        selectWhole(model, hit, event.shiftKey);
        return;
      }
      const { place, element } = hit;
      if (isOnHandle(model, place, element, event)) {
        drag(
          event,
          (over) => previewFill(model, over.row),
          (over) => model.fillTo(over.row),
        );
        return;
      }
      const { focus } = model.selection.value;
      const isAgain = focus.row === place.row && focus.column === place.column;
      if (event.pointerType !== "mouse" && isAgain) edit();
      model.select({ anchor: event.shiftKey ? model.selection.value.anchor : place, focus: place });
      if (event.pointerType === "mouse") {
        const { anchor } = model.selection.value;
        drag(event, (over) => model.select({ anchor, focus: over }));
      }
    },
    onDblClick(event) {
      if (hitOf(event.target)?.kind === "cell") edit();
    },
  };
}

type Hit =
  | { readonly kind: "cell"; readonly place: Place; readonly element: HTMLElement }
  | { readonly kind: "row"; readonly row: number }
  | { readonly kind: "column"; readonly column: number }
  | { readonly kind: "all" };

function hitOf(target: EventTarget | null): Hit | null {
  const element =
    target instanceof Element ? target.closest<HTMLElement>("[data-row],[data-header],[data-corner]") : null;
  if (element === null) return null;
  const { row, column, header } = element.dataset;
  if (header !== undefined) return { kind: "column", column: Number(header) };
  if (row === undefined) return { kind: "all" };
  if (column === undefined) return { kind: "row", row: Number(row) };
  return { kind: "cell", place: { row: Number(row), column: Number(column) }, element };
}

function selectWhole(model: GridModel, hit: Hit, extend: boolean): void {
  const { anchor } = model.selection.value;
  if (hit.kind === "all") model.select(everything(model.size));
  if (hit.kind === "row") model.select(wholeRows(extend ? anchor.row : hit.row, hit.row, model.size));
  if (hit.kind === "column") model.select(wholeColumn(hit.column, model.size));
}

function isOnHandle(model: GridModel, place: Place, element: HTMLElement, event: PointerEvent): boolean {
  const { bottom, right } = model.area;
  if (place.row !== bottom || place.column !== right) return false;
  const box = element.getBoundingClientRect();
  return box.right - event.clientX <= HANDLE && box.bottom - event.clientY <= HANDLE;
}

function previewFill(model: GridModel, row: number): void {
  model.filling.value = row > model.area.bottom ? row : null;
}

/** Follow the pointer over cells until it is released. */
function drag(
  start: PointerEvent,
  over: (place: Place) => void,
  done: (place: Place) => void = () => {},
): void {
  let last: Place | null = null;
  const move = (event: PointerEvent): void => {
    const hit = hitOf(document.elementFromPoint(event.clientX, event.clientY));
    if (hit?.kind !== "cell") return;
    last = hit.place;
    over(hit.place);
  };
  const stop = new AbortController();
  const end = (): void => {
    stop.abort();
    if (last !== null) done(last);
  };
  addEventListener("pointermove", move, { signal: stop.signal });
  addEventListener("pointerup", end, { signal: stop.signal });
  addEventListener("pointercancel", end, { signal: stop.signal });
  if (start.target instanceof Element && start.target.hasPointerCapture(start.pointerId)) {
    start.target.releasePointerCapture(start.pointerId);
  }
}
