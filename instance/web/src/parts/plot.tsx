import "../style/parts/plot.css";
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { text } from "../text/en/common";
import { inkOf, whenLookChanges } from "./plot-ink";

export interface Series {
  label: string;
  /** A colour of the look: `series-1`. */
  ink: string;
  kind: "line" | "bars";
  format: (value: number) => string;
  /** Its own axis, at the end. */
  isSecond?: boolean | undefined;
}

interface Props {
  /** The places along the axis, rising, and the values of each series at them. */
  x: readonly number[];
  /** Null where a value is not known: nothing is drawn there. */
  values: readonly (readonly (number | null)[])[];
  series: readonly Series[];
  /** Seconds since 1970 on the axis, else plain numbers that `formatX` writes. */
  isTime?: boolean | undefined;
  formatX: (value: number) => string;
}

const HEIGHT = 200;

/** A plot whose data move on, but not while somebody points at it. What it shows is said by a table beside it. */
export function Plot({ x, values, series, isTime, formatX }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [at, setAt] = useState<number | null>(null);
  const isHeld = at !== null;
  const data: uPlot.AlignedData = [[...x], ...values.map((each) => [...each])];

  useEffect(() => {
    const place = box.current;
    if (!place) return;
    const made = new uPlot(options(place, series, Boolean(isTime), formatX, setAt), data, place);
    plot.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: place.clientWidth, height: HEIGHT }));
    resized.observe(place);
    // WHY: not `redraw`: bars keep the colour that they were first drawn with until their data are set anew.
    const leave = whenLookChanges(() => made.setData(made.data));
    return () => {
      leave();
      resized.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, []);

  useEffect(() => {
    if (!isHeld) plot.current?.setData(data);
  }, [x, values, isHeld]);

  const shown = plot.current?.data;
  return (
    <div class="plot">
      <div ref={box} class="plot-box" aria-hidden="true" />
      <p class="plot-readout" aria-hidden="true">
        {series.map(({ label, ink, format }, place) => (
          <span key={label} class="plot-key" data-ink={ink}>
            {label}
            {isHeld && shown && ` ${valueAt(shown[place + 1]?.[at], format)}`}
          </span>
        ))}
        {isHeld && shown && <span class="muted">{formatX(shown[0][at] ?? 0)}</span>}
      </p>
    </div>
  );
}

function valueAt(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? text.unknown : format(value);
}

/** All that there is: whole bars at both ends, and a stretch of ten minutes around a single point. */
function rangeOf(series: readonly Series[], places: ArrayLike<number>): [number, number] {
  const least = places[0] ?? 0;
  const most = places[places.length - 1] ?? 0;
  const hasBars = series.some(({ kind }) => kind === "bars");
  const spare = hasBars ? Math.max(1, (most - least) / 20) : least === most ? 300 : 0;
  return [least - spare, most + spare];
}

function options(
  box: HTMLElement,
  series: readonly Series[],
  isTime: boolean,
  formatX: (value: number) => string,
  point: (place: number | null) => void,
): uPlot.Options {
  const axis = {
    stroke: () => inkOf(box, "muted"),
    grid: { stroke: () => inkOf(box, "line"), width: 1 },
    ticks: { show: false },
    font: '12px "IBM Plex Sans Variable", sans-serif',
  };
  const scales = series.map((_, place) => (place === 0 ? "y" : `y${place}`));
  return {
    width: box.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    hooks: { setCursor: [({ cursor }) => point(cursor.idx ?? null)] },
    scales: {
      x: { time: isTime, range: ({ data: [places] }: uPlot) => rangeOf(series, places) },
      ...Object.fromEntries(
        scales.map((scale) => [
          scale,
          { range: (_: uPlot, __: number, most: number) => [0, most > 0 ? most * 1.05 : 1] },
        ]),
      ),
    },
    axes: [
      { ...axis, values: (_, ticks) => ticks.map(formatX), space: 64 },
      ...series.map((each, place) => ({
        ...axis,
        scale: scales[place] ?? "y",
        side: place === 0 ? 3 : 1,
        size: 68,
        grid: { ...axis.grid, show: place === 0 },
        values: (_: uPlot, ticks: number[]) => ticks.map(each.format),
      })),
    ],
    series: [
      {},
      ...series.map((each, place) => ({
        label: each.label,
        scale: scales[place] ?? "y",
        stroke: () => inkOf(box, each.ink),
        width: each.kind === "bars" ? 0 : 2,
        points: { show: (drawn: uPlot) => each.kind === "line" && (drawn.data[0]?.length ?? 0) < 2 },
        ...(each.kind === "bars" && {
          fill: () => inkOf(box, each.ink),
          paths: uPlot.paths.bars?.({ size: [0.9, 40] }),
        }),
      })),
    ],
  } as uPlot.Options;
}
