import { useEffect } from "preact/hooks";
import { POLL_RUNNING } from "./live-rules";
import type { Resource } from "./resource";

/** Read again every two seconds while `isRunning` and the page is seen: for what the live feed tells nothing of. */
export function usePolling(of: Resource<unknown>, isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => document.hidden || void of.reload(), POLL_RUNNING);
    return () => clearInterval(timer);
  }, [of, isRunning]);
}
