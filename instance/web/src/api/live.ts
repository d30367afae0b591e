import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type Feed, type FeedEvents, LiveHub } from "./live-hub";
import type { Message } from "./live-rules";

/** Whether hints arrive, and when that was last known; what is shown is as old as this, or as its own read. */
export const isLive = signal(false);
export const liveAt = signal(Date.now());

let hub: LiveHub | undefined;
let stop: (() => void) | undefined;

/**
 * Call `read` whenever the topic (`orders`, `order:<id>`, …) may have changed: at most once a second, and only
 * while the page is seen. Without a connection it is called every 2 seconds while `isRunning`, else every 30.
 * Returns how to end that.
 */
export function subscribe(topic: string, read: () => void, isRunning?: () => boolean): () => void {
  hub ??= start();
  return hub.subscribe(topic, read, isRunning);
}

/** Subscribe to topics for as long as a component is shown. */
export function useLive(topics: readonly string[], read: () => void, isRunning?: () => boolean): void {
  const latest = useRef({ read, isRunning });
  latest.current = { read, isRunning };
  const key = topics.join(",");
  useEffect(() => {
    const leave = key
      .split(",")
      .filter(Boolean)
      .map((topic) =>
        subscribe(
          topic,
          () => latest.current.read(),
          () => latest.current.isRunning?.() ?? false,
        ),
      );
    return () => {
      for (const each of leave) each();
    };
  }, [key]);
}

/** End the connection: the person has signed out. */
export function endLive(): void {
  hub?.end();
  stop?.();
  hub = undefined;
  stop = undefined;
  isLive.value = false;
}

function start(): LiveHub {
  const channel = new BroadcastChannel("live");
  const ended = new AbortController();
  const made = new LiveHub(
    crypto.getRandomValues(new Uint32Array(2)).join("-"),
    {
      now: () => performance.now(),
      random: Math.random,
      after: (milliseconds, act) => {
        const timer = setTimeout(act, milliseconds);
        return () => clearTimeout(timer);
      },
      isVisible: () => document.visibilityState === "visible",
      open: openFeed,
      say: (message: Message) => channel.postMessage(message),
    },
    (isConnected) => {
      isLive.value = isConnected;
      if (isConnected) liveAt.value = Date.now();
    },
  );
  const { signal: whileLive } = ended;
  channel.addEventListener("message", (event) => made.hear(event.data), { signal: whileLive });
  document.addEventListener("visibilitychange", () => made.wake(), { signal: whileLive });
  window.addEventListener("pagehide", (event) => event.persisted || endLive(), { signal: whileLive });
  let release = () => {};
  // Plain http has no locks, but on localhost: there each tab has its own feed.
  if ("locks" in navigator) {
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    navigator.locks
      .request("live", { signal: whileLive }, () => {
        made.lead();
        return held;
      })
      .catch(() => {});
  } else made.lead();
  stop = () => {
    ended.abort();
    release();
    channel.close();
  };
  return made;
}

function openFeed(topics: readonly string[], events: FeedEvents, after?: string): Feed {
  const since = after === undefined ? "" : `&after=${encodeURIComponent(after)}`;
  const source = new EventSource(`/api/live?topics=${topics.map(encodeURIComponent).join(",")}${since}`);
  source.addEventListener("changed", (event) => events.changed(String(event.data), event.lastEventId));
  source.addEventListener("reset", (event) => events.reset(event.lastEventId));
  source.addEventListener("alive", (event) => events.alive(event.lastEventId));
  source.addEventListener("error", () => events.lost(source.readyState !== EventSource.CLOSED));
  return source;
}
