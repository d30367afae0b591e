import { liveAt } from "../api/live";
import { asOf, POLL_QUIET } from "../api/live-rules";
import type { Resource } from "../api/resource";
import { Stamp } from "./time";

/** How old what is shown of these is: what the feed brings is as new as the feed's last sign of life. */
export function LiveStamp({ of }: { of: readonly Resource<unknown>[] }) {
  const times = of.map(({ at, problem }) => asOf(at.value, problem.value !== null, liveAt.value));
  if (times.length === 0 || times.includes(null)) return null;
  const oldest = Math.min(...times.map((time) => time ?? 0));
  return <Stamp at={new Date(oldest)} everySeconds={POLL_QUIET / 1000} />;
}
