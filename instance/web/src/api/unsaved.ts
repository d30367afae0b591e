/** What is typed and not saved yet, anywhere in this browser: asked for before somebody signs out. */
import { keptRecords } from "./kept";

/** How long a save is waited for before its person is asked. */
const HERE_MS = 6000;
/** How long other tabs get to save what is theirs. */
const OTHER_TABS_MS = 2500;
const LOOK_AGAIN_MS = 100;

/** Records that save themselves; others wait for a button. */
const SAVE_THEMSELVES = ["order:", "study:"];

const savers = new Set<() => Promise<unknown>>();
const asking = new BroadcastChannel("seqfacility:save-now");
asking.addEventListener("message", () => void saveHere());

/** Have something saved before its person leaves; call what is returned when there is nothing any more. */
export function saveBeforeLeaving(save: () => Promise<unknown>): () => void {
  savers.add(save);
  return () => savers.delete(save);
}

async function saveHere(): Promise<boolean> {
  const done = await Promise.allSettled([...savers].map((save) => save()));
  return done.every(({ status }) => status === "fulfilled");
}

const after = (milliseconds: number): Promise<boolean> =>
  new Promise((resolve) => setTimeout(() => resolve(false), milliseconds));

/** Save everything that saves itself, here and in other tabs; answer which records are left. */
export async function saveEverything(stop: AbortSignal): Promise<string[]> {
  asking.postMessage(null);
  const isSaved = await Promise.race([saveHere(), after(HERE_MS)]);
  const isWaitedFor = (record: string): boolean =>
    SAVE_THEMSELVES.some((beginning) => record.startsWith(beginning));
  const until = Date.now() + (isSaved ? OTHER_TABS_MS : 0);
  while (!stop.aborted && Date.now() < until && keptRecords().some(isWaitedFor)) await after(LOOK_AGAIN_MS);
  const left = keptRecords();
  // What could not even be kept is in no record.
  return left.length === 0 && !isSaved ? [""] : left;
}
