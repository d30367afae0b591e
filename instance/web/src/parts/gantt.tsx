import "../style/parts/gantt.css";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ganttText as text } from "../text/en/gantt";
import { Button } from "./button";
import { draw, GUTTER, HEAD, ROW } from "./gantt-drawing";
import {
  arrange,
  barAt,
  type GanttBar,
  panned,
  type Step,
  showing,
  stepped,
  type View,
  wholeOf,
  zoomed,
} from "./gantt-scale";
import { whenLookChanges } from "./plot-ink";

interface Props {
  /** What the bars are: `Timeline of tasks`. */
  label: string;
  bars: readonly GanttBar[];
  /** Seconds since 1970 until which open bars reach. */
  now: number;
  /** What a bar is, in words. */
  describe: (bar: GanttBar) => string;
  onOpen: (bar: GanttBar) => void;
}

const STEPS: Readonly<Record<string, Step>> = {
  ArrowRight: "next",
  ArrowLeft: "previous",
  ArrowUp: "up",
  ArrowDown: "down",
  Home: "first",
  End: "last",
};
const ZOOM = 1.6;

/** Bars in lanes along time. Arrow keys move a cursor from bar to bar, Enter opens one, + and - zoom. */
export function Gantt({ label, bars, now, describe, onOpen }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [view, setView] = useState<View | null>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  const [width, setWidth] = useState(0);
  const [look, setLook] = useState(0);
  const drag = useRef<{ x: number; hasMoved: boolean } | null>(null);
  const layout = useMemo(() => arrange(bars, now), [bars, now]);
  const whole = wholeOf(layout);
  const seen = view ?? whole;
  const current = bars.find(({ id }) => id === cursor) ?? null;
  const height = HEAD + layout.rows * ROW + layout.lanes.length * 8;

  useEffect(() => {
    const place = box.current;
    if (!place) return;
    const resized = new ResizeObserver(() => setWidth(place.clientWidth));
    resized.observe(place);
    const leave = whenLookChanges(() => setLook((times) => times + 1));
    return () => {
      leave();
      resized.disconnect();
    };
  }, []);
  useEffect(() => {
    if (canvas.current && width > 0) draw(canvas.current, { layout, view: seen, cursor, width, height });
  }, [layout, seen.from, seen.to, cursor, width, look]);

  const zoom = (factor: number, around?: number): void => {
    const next = zoomed(seen, factor, around ?? (seen.from + seen.to) / 2, whole);
    setView(next === whole ? null : next);
  };
  const goTo = (id: string | null, step: Step): void => {
    const found = stepped(layout, id, step);
    if (!found) return;
    setCursor(found.bar.id);
    if (view) setView(showing(view, found, whole));
    const lane = layout.lanes[found.lane];
    const top = HEAD + ((lane?.top ?? 0) + found.row) * ROW + found.lane * 8;
    box.current?.scrollTo({ top: Math.max(0, top - 120) });
  };
  const keys = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step) goTo(cursor, step);
    else if (event.key === "Enter" && current) onOpen(current);
    else if (event.key === "+" || event.key === "=") zoom(ZOOM);
    else if (event.key === "-") zoom(1 / ZOOM);
    else if (event.key === "0") setView(null);
    else return;
    event.preventDefault();
  };
  const pointed = (event: MouseEvent) => {
    const at = canvas.current?.getBoundingClientRect();
    if (!at) return null;
    const part = (event.clientX - at.left - GUTTER) / Math.max(1, at.width - GUTTER);
    const time = seen.from + part * (seen.to - seen.from);
    const y = event.clientY - at.top - HEAD;
    const lane = layout.lanes.findLast((one, place) => y >= one.top * ROW + place * 8);
    if (!lane) return null;
    const row = Math.floor((y - layout.lanes.indexOf(lane) * 8) / ROW);
    return { time, found: barAt(layout, time, row, ((seen.to - seen.from) / at.width) * 3) };
  };
  const release = (event: PointerEvent): void => {
    const had = drag.current;
    drag.current = null;
    if (!had || had.hasMoved) return;
    const found = pointed(event)?.found;
    if (!found) return;
    setCursor(found.bar.id);
    onOpen(found.bar);
  };
  const move = (event: PointerEvent): void => {
    const had = drag.current;
    if (!had || width === 0) return;
    const by = had.x - event.clientX;
    if (!had.hasMoved && Math.abs(by) < 4) return;
    drag.current = { x: event.clientX, hasMoved: true };
    if (view) setView(panned(view, by / Math.max(1, width - GUTTER), whole));
  };

  return (
    <figure class="gantt" aria-label={label}>
      <div class="line gantt-bar">
        <Button look="quiet" icon="add" label={text.zoomIn} onClick={() => zoom(ZOOM)} />
        <Button look="quiet" icon="remove" label={text.zoomOut} onClick={() => zoom(1 / ZOOM)} />
        <Button look="quiet" refusal={view ? null : text.allSeen} onClick={() => setView(null)}>
          {text.all}
        </Button>
        <span class="muted keys">{text.keys}</span>
      </div>
      <div
        ref={box}
        class="gantt-box"
        // A picture that is walked through: arrow keys have a meaning of their own here, which is said beside it.
        role="application"
        aria-label={text.picture(label)}
        aria-describedby="gantt-cursor"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys are for what is drawn in it.
        tabIndex={0}
        onKeyDown={keys}
        onWheel={(event) => {
          if (!event.ctrlKey) return;
          event.preventDefault();
          zoom(event.deltaY < 0 ? ZOOM : 1 / ZOOM, pointed(event)?.time);
        }}
      >
        <canvas
          ref={canvas}
          onPointerDown={(event) => {
            drag.current = { x: event.clientX, hasMoved: false };
            if (view) event.currentTarget.setPointerCapture(event.pointerId);
          }}
          onPointerMove={move}
          onPointerUp={release}
          onPointerCancel={() => {
            drag.current = null;
          }}
        />
      </div>
      <p id="gantt-cursor" class="gantt-cursor" role="status">
        {current ? describe(current) : text.noCursor}
      </p>
      {layout.hidden > 0 && <p class="muted">{text.hidden(layout.hidden)}</p>}
      <LanesAsTable label={label} bars={bars} lanes={layout.lanes.map(({ name }) => name)} />
    </figure>
  );
}

/** What the picture shows at a glance, for those who do not see it; each bar stands in the table beside it. */
function LanesAsTable({ label, bars, lanes }: { label: string; bars: Props["bars"]; lanes: string[] }) {
  const rows = useMemo(() => {
    const counts = new Map(lanes.map((lane) => [lane, { ok: 0, run: 0, bad: 0, calm: 0 }]));
    for (const { lane, state } of bars) {
      const count = counts.get(lane);
      if (count) count[state] += 1;
    }
    return [...counts];
  }, [bars, lanes.join("\n")]);
  return (
    <table class="unseen" aria-label={text.asTable(label)}>
      <thead>
        <tr>
          <th scope="col">{text.lane}</th>
          {(["ok", "run", "bad", "calm"] as const).map((state) => (
            <th key={state} scope="col">
              {text.states[state]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([lane, count]) => (
          <tr key={lane}>
            <th scope="row">{lane}</th>
            <td>{count.ok}</td>
            <td>{count.run}</td>
            <td>{count.bad}</td>
            <td>{count.calm}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
