import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { text } from "../text/en/common";
import { Button } from "./button";

const SHOWN_MS = 8000;

interface Toast {
  id: number;
  words: string;
  undo: (() => void) | undefined;
}

const toasts = signal<readonly Toast[]>([]);
let last = 0;

/** Say something for 8 seconds. With `undo` a person can take it back; use it for nothing else. */
export function toast(words: string, undo?: () => void): void {
  last += 1;
  const id = last;
  toasts.value = [...toasts.value, { id, words, undo }];
  setTimeout(() => drop(id), SHOWN_MS);
}

function drop(id: number): void {
  const region = document.querySelector(".toasts");
  // WHY: what somebody has gone to with F8 stays until they left it.
  if (region?.contains(document.activeElement)) setTimeout(() => drop(id), SHOWN_MS);
  else toasts.value = toasts.value.filter((each) => each.id !== id);
}

/** The one live region of the page: `Messages from the page`, reachable by F8. */
export function Toasts() {
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      if (event.key !== "F8") return;
      event.preventDefault();
      const button = region.current?.querySelector("button");
      (button ?? region.current)?.focus();
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
  return (
    <div class="toasts" role="status" aria-label={text.messages} tabIndex={-1} ref={region}>
      {toasts.value.map(({ id, words, undo }) => (
        <div key={id} class="toast">
          <span>{words}</span>
          {undo && (
            <Button
              look="quiet"
              onClick={() => {
                undo();
                toasts.value = toasts.value.filter((each) => each.id !== id);
              }}
            >
              {text.undo}
            </Button>
          )}
        </div>
      ))}
    </div>
  );
}
