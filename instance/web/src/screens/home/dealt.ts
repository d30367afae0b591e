import { useEffect, useRef, useState } from "preact/hooks";
import type { TakeBack } from "./line-actions";
import { keyOf, type Line, type Overview } from "./state";

/** How long a line that is dealt with is still seen, says what became of it, and can be brought back. */
export const SEEN_MS = 8000;

export interface Dealt {
  line: Line;
  words: string;
  takeBack: TakeBack;
}

export interface DealtLines {
  /** Lines that the service no longer tells of and that are still seen. */
  gone: Line[];
  /** What was said last. */
  latest: string | undefined;
  of: (line: Line) => Dealt | undefined;
  leave: (dealt: Dealt) => void;
  bringBack: (dealt: Dealt) => Promise<void>;
}

/** Keep what was dealt with for a while: where it stood, to be read and brought back. */
export function useDealt({ waiting }: Overview, onChange: () => Promise<void>): DealtLines {
  const [dealt, setDealt] = useState<readonly Dealt[]>([]);
  const timers = useRef(new Set<number>());
  useEffect(
    () => () => {
      for (const timer of timers.current) clearTimeout(timer);
    },
    [],
  );
  const forget = (gone: Dealt): void => setDealt((before) => before.filter((one) => one !== gone));
  const later = (gone: Dealt): void => {
    const timer = window.setTimeout(() => {
      // WHY: nobody loses the button that they have gone to.
      if (isIn(keyOf(gone.line))) later(gone);
      else forget(gone);
    }, SEEN_MS);
    timers.current.add(timer);
  };
  const keys = new Set(waiting.map(keyOf));
  return {
    gone: dealt.map(({ line }) => line).filter((line) => !keys.has(keyOf(line))),
    latest: dealt.at(-1)?.words,
    of: (line) => dealt.find((one) => keyOf(one.line) === keyOf(line)),
    leave: (one) => {
      setDealt((before) => [...before.filter(({ line }) => keyOf(line) !== keyOf(one.line)), one]);
      later(one);
      void onChange();
    },
    bringBack: async (one) => {
      await one.takeBack();
      await onChange();
      forget(one);
    },
  };
}

/** Whether the focus is in a line. */
function isIn(key: string): boolean {
  const line = document.activeElement?.closest("[data-line]");
  return line instanceof HTMLElement && line.dataset.line === key;
}
