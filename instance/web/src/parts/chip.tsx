import type { ComponentChildren } from "preact";
import { Icon } from "./icon";

/** What a state means for a person: done, in motion, waited for, wrong, or neither. */
export type Tone = "ok" | "run" | "wait" | "bad" | "calm";

const TONES: Record<Tone, string> = {
  ok: "chip chip-ok",
  run: "chip chip-run",
  wait: "chip chip-wait",
  bad: "chip chip-bad",
  calm: "chip",
};

/** A state in words, with a mark that is not its colour alone. */
export function Chip({ tone = "calm", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={TONES[tone]}>{children}</span>;
}

interface FilterProps {
  children: ComponentChildren;
  isOn: boolean;
  onToggle: () => void;
}

/** A filter that is on or off. */
export function FilterChip({ children, isOn, onToggle }: FilterProps) {
  return (
    <button type="button" class="filter-chip" aria-pressed={isOn} onClick={onToggle}>
      {isOn && <Icon name="check" />}
      {children}
    </button>
  );
}
