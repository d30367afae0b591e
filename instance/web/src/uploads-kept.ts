/** What this computer keeps of uploads, and whether the dock has anything to show. Small: every page loads it. */
import { signal } from "@preact/signals";
import { storeText } from "./api/storage";

const DATABASE = "seqfacility-uploads";
const SETS = "sets";
/** Says that there is something in the database: most pages need not open it. */
const MARK = "seqfacility:uploads";

/** Whether the dock is to be fetched and shown. */
export const isUploading = signal(false);

/** Whether the person has left: nothing is asked then, and nothing kept. */
export const hasLeft = signal(false);

export const hasKept = (): boolean => localStorage.getItem(MARK) !== null;

/** Files that were being sent, as the browser lets us open them again. */
export interface KeptSet {
  id: string;
  person: string;
  orderId: string;
  orderNumber: string;
  files: number;
  handles: readonly (FileSystemFileHandle | FileSystemDirectoryHandle)[];
  choices: unknown;
}

export async function keepSet(set: KeptSet): Promise<void> {
  if (hasLeft.value) return;
  await inStore("readwrite", (store) => store.put(set));
  storeText(localStorage, MARK, "yes");
}

export async function dropSet(id: string): Promise<void> {
  if (!hasKept()) return;
  await inStore("readwrite", (store) => store.delete(id));
  if ((await keptSets()).length === 0) localStorage.removeItem(MARK);
}

export async function keptSets(): Promise<KeptSet[]> {
  return hasKept() ? inStore("readonly", (store) => store.getAll() as IDBRequest<KeptSet[]>) : [];
}

/** Nobody who comes next at this computer finds which files were sent. */
export function forgetUploads(): void {
  hasLeft.value = true;
  if (!hasKept()) return;
  localStorage.removeItem(MARK);
  indexedDB.deleteDatabase(DATABASE);
}

async function inStore<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(SETS, { keyPath: "id" });
  const database = await done(opening);
  try {
    return await done(act(database.transaction(SETS, mode).objectStore(SETS)));
  } finally {
    database.close();
  }
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
