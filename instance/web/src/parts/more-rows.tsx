import type { ComponentChildren } from "preact";
import { text } from "../text/en/common";
import { Button } from "./button";

interface Props {
  of: { rows: readonly unknown[]; total: number; next: number; more: () => void };
  /** `Show 100 more orders`. */
  words: (next: number) => string;
  children?: ComponentChildren;
}

/** How much of a list is shown, and the way to more of it. */
export function MoreRows({ of: { rows, total, next, more }, words, children }: Props) {
  return (
    <div class="line muted">
      <span role="status">{text.rows(rows.length, total)}</span>
      {next > 0 && <Button onClick={more}>{words(next)}</Button>}
      {children}
    </div>
  );
}
