import { useEffect, useRef } from "preact/hooks";
import { forum } from "./live-forum";

/**
 * What changes while somebody looks: one connection for each browser.
 *
 * The tab that holds the lock has the connection and tells the others. The feed says only that something
 * changed; who listens reads it again. Where the feed can't be had, everything counts as changed at times.
 */

const FEED = "seqfacility:live";
const AT_MOST_EVERY_MS = 1000;
const WITHOUT_FEED_EVERY_MS = 30_000;
const GATHER_MS = 50;

type Told =
  | { kind: "wants"; tab: string; topics: string[] }
  | { kind: "who" }
  | { kind: "changed"; topics: string[] };

const tab = crypto.randomUUID();
const mine = forum();
const wanted = new Map<string, readonly string[]>();
let channel: BroadcastChannel | null = null;
let source: EventSource | null = null;
let isLeader = false;
let gathering: ReturnType<typeof setTimeout> | undefined;

/** Run something when `topic` changed, at most once a second, and not while the page is hidden. */
export function onChanged(topic: string, run: () => void): () => void {
  start();
  const leave = mine.join(topic, run, AT_MOST_EVERY_MS);
  announce();
  return () => {
    leave();
    announce();
  };
}

function start(): void {
  if (channel) return;
  channel = new BroadcastChannel(FEED);
  channel.onmessage = ({ data }: MessageEvent<Told>) => hear(data);
  addEventListener("pagehide", () => send({ kind: "wants", tab, topics: [] }));
  addEventListener("pageshow", announce);
  document.addEventListener("visibilitychange", () => mine.hold(document.hidden));
  void navigator.locks.request(FEED, lead);
  setInterval(() => {
    if (isLeader && source?.readyState !== EventSource.OPEN) changed(union());
  }, WITHOUT_FEED_EVERY_MS);
}

/** Hold the lock for as long as this tab lives. */
function lead(): Promise<never> {
  isLeader = true;
  send({ kind: "who" });
  announce();
  return new Promise(() => {});
}

function announce(): void {
  clearTimeout(gathering);
  gathering = setTimeout(() => {
    const topics = mine.topics();
    wanted.set(tab, topics);
    send({ kind: "wants", tab, topics });
    connect();
  }, GATHER_MS);
}

function hear(told: Told): void {
  if (told.kind === "changed") mine.tell(told.topics);
  else if (told.kind === "who") announce();
  else if (isLeader) {
    wanted.set(told.tab, told.topics);
    connect();
  }
}

function send(told: Told): void {
  channel?.postMessage(told);
}

const union = (): string[] => [...new Set([...wanted.values()].flat())].sort();

/** Follow what all tabs want; a connection that already does is left alone. */
function connect(): void {
  if (!isLeader) return;
  const topics = union();
  const url = new URL(`/api/live?topics=${encodeURIComponent(topics.join(","))}`, location.origin).href;
  if (topics.length > 0 && source?.url === url && source.readyState !== EventSource.CLOSED) return;
  const before = source;
  source = topics.length === 0 ? null : follow(url);
  // WHY: the old connection goes when the new one stands, so that nothing is missed between them.
  if (source && before) source.addEventListener("open", () => before.close(), { once: true });
  else before?.close();
}

function follow(url: string): EventSource {
  const feed = new EventSource(url);
  feed.addEventListener("changed", ({ data }: MessageEvent<string>) => {
    const told: unknown = JSON.parse(data);
    if (typeof told === "object" && told !== null && "topic" in told) changed([String(told.topic)]);
  });
  feed.addEventListener("reset", () => changed(union()));
  feed.addEventListener("error", () => {
    // WHY: a browser does not try a refused connection again.
    if (feed.readyState === EventSource.CLOSED && feed === source) setTimeout(connect, WITHOUT_FEED_EVERY_MS);
  });
  return feed;
}

function changed(topics: string[]): void {
  mine.tell(topics);
  send({ kind: "changed", topics });
}

/** Run something when one of `topics` changed, for as long as a component is shown. */
export function useLive(topics: readonly string[], run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  const key = topics.join(",");
  useEffect(() => {
    const leave = key
      .split(",")
      .filter(Boolean)
      .map((topic) => onChanged(topic, () => latest.current()));
    return () => {
      for (const each of leave) each();
    };
  }, [key]);
}
