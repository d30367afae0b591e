import type { Tone } from "../../parts/chip";
import type { Status } from "./state";

export const TONES: Record<Status, Tone> = {
  OPEN: "wait",
  IN_PROGRESS: "run",
  RESOLVED: "ok",
  CLOSED: "calm",
};
