/** What somebody typed and has not saved: kept in this browser for each record, until it is saved or they sign out. */

import { storeText } from "./storage";

const PREFIX = "seqfacility:kept:";

/** Where nothing is kept any more: a page that is about to go would keep once more what its person typed. */
const left = new WeakSet<Storage>();

interface Entry<T> {
  readonly at: string;
  readonly value: T;
}

export interface Kept<T> {
  /** Where it stands in the browser's storage. */
  readonly key: string;
  /** What is kept, and since when; null when nothing is. */
  read(): { at: Date; value: T } | null;
  /** Answers whether it is kept: a storage may be full, or forbidden. */
  write(value: T): boolean;
  forget(): void;
}

/** `isShape` looks at what was stored, perhaps by an older release: what does not fit is dropped. */
export function kept<T>(
  person: string,
  record: string,
  isShape: (value: unknown) => value is T,
  storage: Storage = localStorage,
): Kept<T> {
  const key = `${PREFIX}${person}:${record}`;
  return {
    key,
    read() {
      const entry = readEntry(storage, key);
      return entry && isShape(entry.value) ? { at: new Date(entry.at), value: entry.value } : null;
    },
    write(value) {
      if (left.has(storage)) return false;
      const entry: Entry<T> = { at: new Date().toISOString(), value };
      return storeText(storage, key, JSON.stringify(entry));
    },
    forget() {
      storage.removeItem(key);
    },
  };
}

/** Forget what anybody kept, and keep nothing from here on: the next person at this computer finds nothing. */
export function forgetAll(storage: Storage = localStorage): void {
  left.add(storage);
  for (const key of Object.keys(storage)) {
    if (key.startsWith(PREFIX)) storage.removeItem(key);
  }
}

function readEntry(storage: Storage, key: string): Entry<unknown> | null {
  const text = storage.getItem(key);
  if (text === null) return null;
  try {
    const entry: unknown = JSON.parse(text);
    const isEntry = typeof entry === "object" && entry !== null && "at" in entry && "value" in entry;
    return isEntry && typeof entry.at === "string" ? { at: entry.at, value: entry.value } : null;
  } catch {
    return null;
  }
}

/** Name the records of which something is kept, whoever's and whichever tab's it is. */
export function keptRecords(storage: Storage = localStorage): string[] {
  const records = Object.keys(storage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => key.slice(PREFIX.length).split(":").slice(1).join(":").replace(/@.*$/, ""));
  return [...new Set(records)];
}
