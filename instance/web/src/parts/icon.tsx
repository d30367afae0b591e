import { type IconName, icons } from "./icons";

/** A drawing beside words; it says nothing of its own. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d={icons[name]} />
    </svg>
  );
}
