import { ganttText as text } from "../text/en/gantt";
import type { Lane, Layout, Placed, View } from "./gantt-scale";
import { ticks } from "./gantt-scale";
import { inkOf } from "./plot-ink";

/** Where the names of lanes stand, the axis above, and how high a row is. */
export const GUTTER = 132;
export const HEAD = 24;
export const ROW = 14;
const LANE_GAP = 8;
const LEAST_WIDTH = 2;
const TICK_WIDTH = 90;

const INKS = { ok: "ok", run: "run", bad: "bad", calm: "control" } as const;

interface Drawn {
  layout: Layout;
  view: View;
  cursor: string | null;
  width: number;
  height: number;
}

/** Draw the bars that are seen: lighter while they waited, and those that went wrong over the others. */
export function draw(canvas: HTMLCanvasElement, { layout, view, cursor, width, height }: Drawn): void {
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.style.inlineSize = `${width}px`;
  canvas.style.blockSize = `${height}px`;
  const pen = canvas.getContext("2d");
  const box = canvas.parentElement;
  if (!pen || !box) return;
  const ink = Object.fromEntries(
    ["ok", "run", "bad", "control", "ink", "muted", "line"].map((token) => [token, inkOf(box, token)]),
  );
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.font = '12px "IBM Plex Sans Variable", sans-serif';
  pen.textBaseline = "middle";
  const room = Math.max(1, width - GUTTER - 4);
  const x = (time: number): number => GUTTER + ((time - view.from) / (view.to - view.from)) * room;

  for (const time of ticks(view, layout.first, Math.max(2, Math.floor(room / TICK_WIDTH)))) {
    pen.fillStyle = ink.line ?? "";
    pen.fillRect(x(time), HEAD - 6, 1, height);
    pen.fillStyle = ink.muted ?? "";
    pen.fillText(text.after(time - layout.first), x(time) + 4, HEAD / 2);
  }
  layout.lanes.forEach((lane, place) => {
    const top = topOf(lane, place);
    pen.fillStyle = ink.line ?? "";
    pen.fillRect(0, top - LANE_GAP / 2, width, 1);
    pen.fillStyle = ink.ink ?? "";
    pen.fillText(fitted(pen, lane.name, GUTTER - 12), 4, top + ROW / 2);
    const seen = lane.bars.filter(({ start, end }) => end >= view.from && start <= view.to);
    for (const placed of seen.toSorted((one, other) => Number(isBad(one)) - Number(isBad(other)))) {
      drawBar(pen, placed, x, top + placed.row * ROW, ink, placed.bar.id === cursor);
    }
  });
}

const topOf = (lane: Lane, place: number): number => HEAD + lane.top * ROW + place * LANE_GAP + LANE_GAP / 2;

const isBad = ({ bar }: Placed): boolean => bar.state === "bad";

function drawBar(
  pen: CanvasRenderingContext2D,
  { bar, start, end }: Placed,
  x: (time: number) => number,
  top: number,
  ink: Readonly<Record<string, string>>,
  isCursor: boolean,
): void {
  const left = Math.max(GUTTER, x(start));
  const right = Math.max(x(end), left + LEAST_WIDTH);
  const begun = bar.from === null ? right : Math.min(right, Math.max(left, x(bar.from)));
  pen.fillStyle = ink[INKS[bar.state]] ?? "";
  pen.globalAlpha = 0.35;
  pen.fillRect(left, top + 3, begun - left, ROW - 7);
  pen.globalAlpha = 1;
  if (bar.from !== null || bar.state !== "run") {
    const from = Math.min(begun, right - LEAST_WIDTH);
    pen.fillRect(from, top + 1, right - from, ROW - 3);
  }
  if (!isCursor) return;
  pen.strokeStyle = ink.ink ?? "";
  pen.lineWidth = 2;
  pen.strokeRect(left - 2, top - 1, right - left + 4, ROW + 1);
}

/** A text that fits, cut with an ellipsis. */
function fitted(pen: CanvasRenderingContext2D, words: string, room: number): string {
  const shown = words.length > 60 ? words.slice(0, 60) : words;
  if (shown === words && pen.measureText(shown).width <= room) return shown;
  let length = shown.length;
  while (length > 1 && pen.measureText(`${shown.slice(0, length)}…`).width > room) length -= 1;
  return `${shown.slice(0, length)}…`;
}
