/** One thing that took time, in seconds since 1970; `null` is not known yet. */
export interface GanttBar {
  id: string;
  lane: string;
  label: string;
  /** Since when it waited, and from when to when it was at work. */
  waitsFrom: number | null;
  from: number | null;
  to: number | null;
  state: "ok" | "run" | "bad" | "calm";
}

export interface Placed {
  bar: GanttBar;
  lane: number;
  /** Bars of a lane that overlap stand below each other. */
  row: number;
  start: number;
  end: number;
}

export interface Lane {
  name: string;
  rows: number;
  /** Its first row, counted over all lanes. */
  top: number;
  bars: readonly Placed[];
}

export interface Layout {
  lanes: readonly Lane[];
  /** Lanes that are not shown. */
  hidden: number;
  rows: number;
  first: number;
  last: number;
}

/** More at the same time are drawn over each other. */
const ROWS_OF_LANE = 12;
/** A canvas has an end. */
const MOST_LANES = 60;

/** Arrange bars in lanes: those with something wrong first, then in the order in which they began. */
export function arrange(bars: readonly GanttBar[], now: number): Layout {
  const byLane = new Map<string, Omit<Placed, "lane" | "row">[]>();
  for (const bar of bars) {
    const start = bar.waitsFrom ?? bar.from ?? bar.to;
    if (start === null) continue;
    const isOpen = bar.to === null && bar.state === "run";
    const end = Math.max(start, bar.to ?? (isOpen ? now : (bar.from ?? start)));
    const lane = byLane.get(bar.lane);
    if (lane) lane.push({ bar, start, end });
    else byLane.set(bar.lane, [{ bar, start, end }]);
  }
  const named = [...byLane].map(([name, found]) => ({
    name,
    found: found.toSorted((one, other) => one.start - other.start),
    isBad: found.some(({ bar }) => bar.state === "bad"),
  }));
  named.sort(
    (one, other) =>
      Number(other.isBad) - Number(one.isBad) || (one.found[0]?.start ?? 0) - (other.found[0]?.start ?? 0),
  );
  let top = 0;
  const lanes = named.slice(0, MOST_LANES).map(({ name, found }, lane): Lane => {
    const ends: number[] = [];
    const placed = found.map(({ bar, start, end }) => {
      const free = ends.findIndex((taken) => taken <= start);
      const row = free >= 0 ? free : Math.min(ends.length, ROWS_OF_LANE - 1);
      ends[row] = Math.max(ends[row] ?? 0, end);
      return { bar, lane, row, start, end };
    });
    const made = { name, rows: Math.max(1, ends.length), top, bars: placed };
    top += made.rows;
    return made;
  });
  const all = lanes.flatMap((lane) => lane.bars);
  const first = all.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY);
  const last = all.reduce((most, { end }) => Math.max(most, end), Number.NEGATIVE_INFINITY);
  return {
    lanes,
    hidden: named.length - lanes.length,
    rows: top,
    first: Number.isFinite(first) ? first : now,
    last: Number.isFinite(last) ? Math.max(last, first + 1) : now + 1,
  };
}

/** The stretch of time that is seen. */
export interface View {
  from: number;
  to: number;
}

const LEAST_SECONDS = 0.05;

export const wholeOf = ({ first, last }: Layout): View => {
  const spare = (last - first) * 0.02;
  return { from: first - spare, to: last + spare };
};

/** Zoom around a time, and never beyond everything that there is. */
export function zoomed(view: View, factor: number, around: number, whole: View): View {
  const span = Math.max(LEAST_SECONDS, (view.to - view.from) / factor);
  if (span >= whole.to - whole.from) return whole;
  const part = (around - view.from) / (view.to - view.from);
  return kept({ from: around - span * part, to: around + span * (1 - part) }, whole);
}

/** Move by a part of what is seen. */
export function panned(view: View, part: number, whole: View): View {
  const by = (view.to - view.from) * part;
  return kept({ from: view.from + by, to: view.to + by }, whole);
}

/** Move as little as it takes to see a bar. */
export function showing(view: View, { start, end }: Pick<Placed, "start" | "end">, whole: View): View {
  const span = view.to - view.from;
  if (start >= view.from && end <= view.to) return view;
  if (end - start > span) return start <= view.to && end >= view.from ? view : at(start, span, whole);
  return start < view.from ? at(start, span, whole) : at(end - span, span, whole);
}

const at = (from: number, span: number, whole: View): View => kept({ from, to: from + span }, whole);

function kept({ from, to }: View, whole: View): View {
  const span = to - from;
  const first = Math.min(Math.max(from, whole.from), Math.max(whole.from, whole.to - span));
  return { from: first, to: first + span };
}

const STEPS = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200,
  86_400,
];

/** Times for the axis, at round distances from where everything began. */
export function ticks(view: View, zero: number, most: number): number[] {
  const span = view.to - view.from;
  const days = Math.ceil(span / 86_400 / most) * 86_400;
  const step = STEPS.find((seconds) => span / seconds <= most) ?? days;
  const found: number[] = [];
  for (let number = Math.ceil((view.from - zero) / step); zero + number * step <= view.to; number += 1) {
    found.push(zero + number * step);
  }
  return found;
}

/** The bar at a time in a row; the shortest where several are drawn over each other. */
export function barAt(layout: Layout, time: number, row: number, slack: number): Placed | null {
  const lane = layout.lanes.find(({ top, rows }) => row >= top && row < top + rows);
  const near = lane?.bars.filter(
    (placed) => lane.top + placed.row === row && placed.start - slack <= time && placed.end + slack >= time,
  );
  return near?.toSorted((one, other) => one.end - one.start - (other.end - other.start))[0] ?? null;
}

export type Step = "next" | "previous" | "up" | "down" | "first" | "last";

/** Where the cursor goes: along a lane, or to what was at work at the same time in the next one. */
export function stepped(layout: Layout, from: string | null, step: Step): Placed | null {
  const all = layout.lanes.flatMap(({ bars }) => bars);
  const now = all.find(({ bar }) => bar.id === from);
  if (!now || step === "first") return all[0] ?? null;
  if (step === "last") return all.at(-1) ?? null;
  const own = layout.lanes[now.lane]?.bars ?? [];
  const place = own.indexOf(now);
  if (step === "next") return own[place + 1] ?? now;
  if (step === "previous") return own[place - 1] ?? now;
  const other = layout.lanes[now.lane + (step === "down" ? 1 : -1)]?.bars ?? [];
  return other.reduce<Placed>(
    (best, one) => (best === now || apart(one, now) < apart(best, now) ? one : best),
    now,
  );
}

const apart = (one: Placed, other: Placed): number => Math.abs(one.start - other.start);
