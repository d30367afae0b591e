/** What is being sent, whatever screen is shown: one worker for the page, and what the dock shows of it. */
import { batch, computed, signal } from "@preact/signals";
import { askPassword } from "../api/connection";
import { dropSet, hasLeft, isUploading, type KeptSet, keepSet } from "../uploads-kept";
import { startWorker } from "../workers/policy";
import type { Command, Item, Limits, State, Told } from "./engine/protocol";
import { isUnderWay } from "./engine/queue";
import workerAddress from "./engine/uploads_worker?worker&url";
import { Rate } from "./rate";

export interface Upload {
  id: string;
  name: string;
  size: number;
  orderNumber: string;
  setId: string;
  state: State;
  sent: number;
}

export interface Batch {
  orderNumber: string;
  setId: string;
  items: readonly Item[];
  filed: readonly Item[];
  limits: Limits;
}

/** In the order in which they were added. A new map only when files come or go; rows change in place. */
const rows = new Map<string, Upload>();
const version = signal(0);
const rate = new Rate();
/** Set while nothing is sent until somebody is signed in. */
export const isSignedOut = signal(false);

let worker: Worker | undefined;
let isAwake: WakeLockSentinel | null = null;

export const uploads = computed((): readonly Upload[] => {
  version.value;
  return [...rows.values()];
});

export interface Summary {
  all: number;
  filed: number;
  bytes: number;
  sent: number;
  stopped: number;
  paused: number;
  underWay: number;
  perSecond: number | null;
}

export const summary = computed((): Summary => {
  const found = { all: 0, filed: 0, bytes: 0, sent: 0, stopped: 0, paused: 0, underWay: 0 };
  for (const { state, size, sent } of uploads.value) {
    found.all += 1;
    found.bytes += size;
    found.sent += Math.min(sent, size);
    if (state.is === "filed") found.filed += 1;
    else if (state.is === "refused") found.stopped += 1;
    else if (state.is === "paused") found.paused += 1;
    else if (isUnderWay(state)) found.underWay += 1;
  }
  return { ...found, perSecond: found.underWay > 0 ? rate.perSecond : null };
});

/** Begin to send. Nothing comes here that no person has seen in a plan. */
export function begin({ orderNumber, setId, items, filed, limits }: Batch, kept: KeptSet | null): void {
  batch(() => {
    for (const item of [...filed, ...items]) {
      const known = rows.get(item.id);
      if (known !== undefined && isUnderWay(known.state)) continue;
      const wasThere = filed.includes(item);
      rows.set(item.id, {
        id: item.id,
        name: item.name,
        size: item.size,
        orderNumber,
        setId,
        state: wasThere ? { is: "filed", wasThere } : { is: "waiting" },
        sent: wasThere ? item.size : item.received,
      });
    }
    rate.forget();
    isUploading.value = true;
    version.value += 1;
  });
  // WHY: what can't be kept (a private window, a full disk) is dropped again by hand after a reload.
  if (kept !== null) void keepSet(kept).catch((error: unknown) => console.warn(error));
  command({ do: "add", items, limits });
  changed();
}

export const pause = (ids: readonly string[]): void => command({ do: "pause", ids });
export const resume = (ids: readonly string[]): void => command({ do: "resume", ids });
export const retry = (ids: readonly string[]): void => command({ do: "retry", ids });

/** Give up files that are not filed, with what the service has of them; of filed ones only the row goes. */
export function remove(ids: readonly string[]): void {
  const sets = ids.flatMap((id) => rows.get(id)?.setId ?? []);
  const given = ids.filter((id) => rows.get(id)?.state.is !== "filed");
  for (const id of ids) rows.delete(id);
  if (given.length > 0) command({ do: "remove", ids: given });
  forgetSets(sets);
  changed();
}

export const idsOf = (is: (state: State) => boolean): string[] =>
  [...rows.values()].filter(({ state }) => is(state)).map(({ id }) => id);

/** Ask for the password, and go on when it was right. */
export async function signInAgain(): Promise<void> {
  if (!(await askPassword())) return;
  isSignedOut.value = false;
  command({ do: "signedIn" });
}

function command(words: Command): void {
  worker ??= started();
  worker.postMessage(words);
}

function started(): Worker {
  const made = startWorker(workerAddress);
  made.addEventListener("message", ({ data }: MessageEvent<Told>) => hear(data));
  made.addEventListener("error", (event) => console.error(event.message));
  return made;
}

function hear(message: Told): void {
  if (message.tells === "signedOut") {
    isSignedOut.value = true;
    void signInAgain();
    return;
  }
  const sets: string[] = [];
  for (const { id, state, sent } of message.rows) {
    const row = rows.get(id);
    if (row === undefined) continue;
    rows.set(id, { ...row, state, sent });
    if (state.is === "filed") sets.push(row.setId);
  }
  rate.note(
    performance.now(),
    [...rows.values()].reduce((sum, { sent }) => sum + sent, 0),
  );
  forgetSets(sets);
  changed();
}

/** A set of which nothing is left to send need not be opened again. */
function forgetSets(ids: readonly string[]): void {
  for (const id of new Set(ids)) {
    const isLeft = [...rows.values()].some(({ setId, state }) => setId === id && state.is !== "filed");
    if (!isLeft) void dropSet(id).catch((error: unknown) => console.warn(error));
  }
}

function changed(): void {
  batch(() => {
    version.value += 1;
    isUploading.value = rows.size > 0;
  });
  void stayAwake();
}

/** A laptop that falls asleep sends nothing. */
async function stayAwake(): Promise<void> {
  const isWanted = summary.value.underWay > 0 && document.visibilityState === "visible";
  if (isWanted && isAwake === null && "wakeLock" in navigator) {
    const asked = await navigator.wakeLock.request("screen").catch(() => null);
    // WHY: two may have asked meanwhile, and one of them is enough.
    if (isAwake === null) isAwake = asked;
    else void asked?.release();
    asked?.addEventListener("release", () => {
      if (isAwake === asked) isAwake = null;
    });
  } else if (!isWanted && isAwake !== null) {
    void isAwake.release();
    isAwake = null;
  }
}

addEventListener("online", () => worker?.postMessage({ do: "online" } satisfies Command));
document.addEventListener("visibilitychange", () => void stayAwake());

// Only while bytes move: what is paused, stopped or filed loses nothing.
addEventListener("beforeunload", (event) => {
  if (summary.value.underWay > 0 && !hasLeft.value) event.preventDefault();
});
