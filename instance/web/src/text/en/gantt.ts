import { counted } from "../format";

/** Bars in lanes along time. */
export const ganttText = {
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  all: "All",
  allSeen: "All of it is seen.",
  keys: "Arrow keys move, Enter opens, + and - zoom, 0 shows all",
  picture: (label: string): string => `${label}: arrow keys move from one to the next`,
  noCursor: "Nothing is chosen.",
  hidden: (lanes: number): string => `${counted(lanes, "further row", "further rows")} in the table only.`,
  asTable: (label: string): string => `${label}, summed up`,
  lane: "Process",
  states: { ok: "Done", run: "Not over", bad: "Failed", calm: "Ended" },
  /** How long after the beginning: `0:05`, `1:02:03`, `2 d 3 h`. */
  after: (seconds: number): string => {
    const whole = Math.round(seconds * 10) / 10;
    if (whole < 10 && !Number.isInteger(whole)) return `${whole.toFixed(1)} s`;
    const minutes = Math.floor(whole / 60);
    const two = (value: number): string => String(value).padStart(2, "0");
    if (minutes < 60) return `${minutes}:${two(Math.floor(whole % 60))}`;
    if (minutes < 48 * 60)
      return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(Math.floor(whole % 60))}`;
    return `${Math.floor(minutes / 1440)} d ${Math.floor((minutes % 1440) / 60)} h`;
  },
} as const;
