import { demoRefusal } from "../session";

/** Why actions beside it are disabled, for a visitor of the demonstration. */
export function DemoNote() {
  return demoRefusal.value && <p class="muted">{demoRefusal.value}</p>;
}
