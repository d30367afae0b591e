import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../api/problem";
import { asProblem } from "../api/resource";
import { type Check, type Choices, check, type Target } from "./state";

const AFTER_MS = 400;

export interface Checked {
  isRunning: boolean;
  found: Check | null;
  /** Why nobody could say. */
  problem: Problem | null;
}

const NOTHING: Checked = { isRunning: false, found: null, problem: null };

/** Ask what making the run would answer, a moment after somebody has stopped changing it. */
export function useCheck(target: Target, choices: Choices | null): Checked {
  const [checked, show] = useState(NOTHING);
  const key = JSON.stringify(choices);
  useEffect(() => {
    if (choices === null) {
      show(NOTHING);
      return;
    }
    const mine = new AbortController();
    show((before) => ({ ...before, isRunning: true }));
    const timer = setTimeout(async () => {
      try {
        const found = await check(target, choices, mine.signal);
        if (!mine.signal.aborted) show({ isRunning: false, found, problem: null });
      } catch (error) {
        if (!mine.signal.aborted) show({ isRunning: false, found: null, problem: asProblem(error) });
      }
    }, AFTER_MS);
    return () => {
      clearTimeout(timer);
      mine.abort();
    };
  }, [target.id, key]);
  return checked;
}
