/** Sends files away from the page: three move at a time, each until it is filed. */
import { Hashing } from "./hashing";
import type { Command, Item, Limits, Told } from "./protocol";
import { Queue } from "./queue";
import { Sender } from "./sender";
import { Refused } from "./service";

/** How often the page hears what changed. */
const TELL_MS = 250;
const PAUSED = new DOMException("paused", "AbortError");

const queue = new Queue();
const hashing = new Hashing();
const senders = new Map<string, Sender>();
const running = new Map<string, AbortController>();
/** The page hears it, too, and in some browsers alone. */
const online = new EventTarget();
const tell = (told: Told): void => self.postMessage(told);

let isTelling = false;
function tellSoon(): void {
  if (isTelling) return;
  isTelling = true;
  setTimeout(() => {
    isTelling = false;
    const rows = queue.news();
    if (rows.length > 0) tell({ tells: "progress", rows });
  }, TELL_MS);
}

let signedIn: { done: Promise<void>; go: () => void } | null = null;

function untilSignedIn(stop: AbortSignal): Promise<void> {
  if (signedIn === null) {
    let go = (): void => {};
    const done = new Promise<void>((resolve) => {
      go = resolve;
    });
    signedIn = { done, go };
    tell({ tells: "signedOut" });
  }
  return Promise.race([signedIn.done, aborted(stop)]);
}

const aborted = (stop: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (stop.aborted) reject(stop.reason);
    stop.addEventListener("abort", () => reject(stop.reason), { once: true });
  });

/** How long a computer that says it has no network is believed. */
const OFFLINE_MS = 60_000;

/** Nobody waits for the rest of a pause once the network is back; without one it is hardly tried. */
function wait(milliseconds: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const listen = new AbortController();
    const done = (): void => {
      listen.abort();
      clearTimeout(timer);
      resolve();
    };
    let timer = setTimeout(() => {
      if (navigator.onLine) done();
      else timer = setTimeout(done, OFFLINE_MS);
    }, milliseconds);
    for (const source of [self, online]) source.addEventListener("online", done, { signal: listen.signal });
    stop.addEventListener(
      "abort",
      () => {
        listen.abort();
        clearTimeout(timer);
        reject(stop.reason);
      },
      { signal: listen.signal },
    );
    if (stop.aborted) reject(stop.reason);
  });
}

function senderOf(item: Item, limits: Limits): Sender {
  const { id } = item;
  return new Sender(item, limits, hashing, {
    state: (state) => {
      queue.change(id, { state });
      if (state.is === "verifying") goOn();
      else tellSoon();
    },
    sent: (sent) => {
      queue.change(id, { sent });
      tellSoon();
    },
    hashed: (hashed) => {
      queue.change(id, { hashed });
      tellSoon();
    },
    signedIn: untilSignedIn,
    wait,
  });
}

function goOn(): void {
  for (const id of queue.take()) void run(id);
  tellSoon();
}

async function run(id: string): Promise<void> {
  const sender = senders.get(id);
  if (sender === undefined) return queue.over(id);
  const mine = new AbortController();
  running.set(id, mine);
  try {
    const wasThere = await alone(sender, mine.signal, () => sender.send(mine.signal));
    queue.change(id, { state: { is: "filed", wasThere }, sent: sender.item.size });
    senders.delete(id);
  } catch (error) {
    if (mine.signal.aborted) queue.change(id, { state: { is: "paused" } });
    else refuse(id, error);
  } finally {
    running.delete(id);
    queue.over(id);
    goOn();
  }
}

function refuse(id: string, error: unknown): void {
  if (!(error instanceof Refused)) console.error(error);
  const { why, words } = error instanceof Refused ? error : { why: "said" as const, words: String(error) };
  queue.change(id, { state: { is: "refused", why, words } });
  // On a full disk every other file would be refused, too.
  if (why === "diskFull") pause([...queue.running().filter((other) => other !== id), ...queue.waiting()]);
}

/** Only one tab of a browser sends a file; pages over plain HTTP have no locks, there the service tells. */
function alone<T>(sender: Sender, stop: AbortSignal, act: () => Promise<T>): Promise<T> {
  const { locks } = navigator as { locks?: LockManager };
  if (locks === undefined) return act();
  const { orderId, sampleId, targetRole, name } = sender.item;
  const key = `seqfacility:upload:${[orderId, sampleId, targetRole, name].join("/")}`;
  const first = setTimeout(() => sender.watcher.state({ is: "elsewhere" }), TELL_MS);
  return locks.request(key, { signal: stop }, () => {
    clearTimeout(first);
    return act();
  }) as Promise<T>;
}

function pause(ids: readonly string[]): void {
  for (const id of ids) {
    const state = queue.get(id)?.state;
    if (running.has(id)) running.get(id)?.abort(PAUSED);
    else if (state?.is === "waiting") queue.change(id, { state: { is: "paused" } });
  }
}

function resume(ids: readonly string[], from: "paused" | "refused"): void {
  for (const id of ids) {
    if (queue.get(id)?.state.is === from) queue.change(id, { state: { is: "waiting" } });
  }
}

async function remove(id: string): Promise<void> {
  const sender = senders.get(id);
  const mine = running.get(id);
  senders.delete(id);
  queue.remove(id);
  mine?.abort(PAUSED);
  // What the service keeps of it would count as half-way for days.
  await sender?.forget(new AbortController().signal).catch((error: unknown) => console.warn(error));
}

self.addEventListener("message", ({ data }: MessageEvent<Command>) => {
  if (data.do === "add") {
    for (const item of data.items) {
      // A file that is dropped again takes the place of one that stopped; one that moves goes on.
      if (queue.add(item.id, item.received)) senders.set(item.id, senderOf(item, data.limits));
    }
  } else if (data.do === "pause") pause(data.ids);
  else if (data.do === "resume") resume(data.ids, "paused");
  else if (data.do === "retry") resume(data.ids, "refused");
  else if (data.do === "online") online.dispatchEvent(new Event("online"));
  else if (data.do === "remove") for (const id of data.ids) void remove(id);
  else {
    signedIn?.go();
    signedIn = null;
  }
  goOn();
});
