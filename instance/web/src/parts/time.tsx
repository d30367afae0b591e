import { signal } from "@preact/signals";
import { isStale } from "../api/live-rules";
import { text } from "../text/en/common";
import { ago, clockWithSeconds, exactTime } from "../text/format";

// One clock for every relative time of the page.
const now = signal(new Date());
setInterval(() => {
  if (!document.hidden) now.value = new Date();
}, 20_000);

/** `3 days ago`, with the exact time as title. */
export function Time({ at }: { at: string | Date }) {
  const time = typeof at === "string" ? new Date(at) : at;
  return (
    <time dateTime={time.toISOString()} title={exactTime(time)}>
      {ago(time, now.value)}
    </time>
  );
}

interface StampProps {
  at: Date | null;
  /** How often it is read anew while it is fresh. */
  everySeconds?: number | undefined;
}

/** How old what is shown is: `as of 14:02:07`, in other words once it is overdue. */
export function Stamp({ at, everySeconds }: StampProps) {
  if (!at) return null;
  const isOverdue =
    everySeconds !== undefined && isStale(now.value.getTime(), at.getTime(), 1000 * everySeconds);
  const time = clockWithSeconds(at);
  return (
    <span class={isOverdue ? "stamp stamp-old" : "stamp"}>
      {isOverdue ? text.outdated(time) : text.asOf(time)}
    </span>
  );
}
