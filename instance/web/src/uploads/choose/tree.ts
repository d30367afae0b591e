/** The files that somebody chose or dropped, with those below folders: by name order, hidden ones left out. */

export const MOST_FILES = 10_000;

export interface ChosenFile {
  /** Below what was chosen, with `/` between folders. */
  path: string;
  file: File;
}

export interface Chosen {
  files: readonly ChosenFile[];
  /** There are more files than a plan takes. */
  hasMore: boolean;
}

const isHidden = (path: string): boolean => path.split("/").some((part) => part.startsWith("."));
const byPath = new Intl.Collator("en", { numeric: true });

export function inOrder(files: readonly ChosenFile[]): Chosen {
  const seen = files.filter(({ path }) => !isHidden(path));
  seen.sort((one, other) => byPath.compare(one.path, other.path));
  return { files: seen.slice(0, MOST_FILES), hasMore: seen.length > MOST_FILES };
}

/** The files of an input, of a folder with their paths in it. */
export const filesOfInput = (files: Iterable<File>): Chosen =>
  inOrder([...files].map((file) => ({ path: file.webkitRelativePath || file.name, file })));

/** What an entry of a drop is; browsers agree on this part of it. */
export interface Entry {
  readonly name: string;
  readonly isFile: boolean;
  file?(found: (file: File) => void, failed: (reason: unknown) => void): void;
  createReader?(): {
    readEntries(found: (entries: Entry[]) => void, failed: (reason: unknown) => void): void;
  };
}

/** Read files and folders one after the other: a folder of any depth takes no deep stack. */
export async function filesOfEntries(entries: readonly Entry[]): Promise<Chosen> {
  const found: ChosenFile[] = [];
  const ahead = entries.map((entry) => ({ entry, path: entry.name })).reverse();
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const { entry, path } = next;
    if (isHidden(path)) continue;
    if (entry.isFile) found.push({ path, file: await fileOf(entry) });
    else
      ahead.push(
        ...(await children(entry)).map((child) => ({ entry: child, path: `${path}/${child.name}` })),
      );
    if (found.length > MOST_FILES) break;
  }
  return inOrder(found);
}

const fileOf = (entry: Entry): Promise<File> =>
  new Promise((resolve, reject) => entry.file?.(resolve, reject));

/** A reader tells its entries in parts, and an empty one at the end. */
async function children(folder: Entry): Promise<Entry[]> {
  const reader = folder.createReader?.();
  const all: Entry[] = [];
  for (;;) {
    const part = await new Promise<Entry[]>((resolve, reject) => reader?.readEntries(resolve, reject));
    if (part.length === 0 || all.length > MOST_FILES) return all;
    all.push(...part);
  }
}

/** A folder or a file that the browser lets us open again, also after a reload. */
export type Handle = FileSystemFileHandle | FileSystemDirectoryHandle;

/** Read what was dropped. The entries have to be taken at once: a drop is empty when its event is over. */
export function filesOfDrop(drop: DataTransfer): { chosen: Promise<Chosen>; handles: Promise<Handle[]> } {
  const items = [...drop.items].filter(({ kind }) => kind === "file");
  const entries = items.map((item) => item.webkitGetAsEntry());
  const plain = [...drop.files];
  const handles = items.map(async (item): Promise<Handle | null> => {
    const open = (item as { getAsFileSystemHandle?: () => Promise<Handle | null> }).getAsFileSystemHandle;
    return open ? open.call(item).catch(() => null) : null;
  });
  const known = entries.filter((entry) => entry !== null);
  const chosen = known.length === items.length ? filesOfEntries(known as Entry[]) : filesOfInput(plain);
  return {
    chosen: Promise.resolve(chosen),
    handles: Promise.all(handles).then((all) => all.filter((handle) => handle !== null)),
  };
}

/** Read again what a browser lets us open again. */
export async function filesOfHandles(handles: readonly Handle[]): Promise<Chosen> {
  const found: ChosenFile[] = [];
  const ahead = handles.map((handle) => ({ handle, path: handle.name })).reverse();
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const { handle, path } = next;
    if (isHidden(path)) continue;
    if (handle.kind === "file") found.push({ path, file: await handle.getFile() });
    else {
      for await (const child of (handle as unknown as { values(): AsyncIterable<Handle> }).values())
        ahead.push({ handle: child, path: `${path}/${child.name}` });
    }
    if (found.length > MOST_FILES) break;
  }
  return inOrder(found);
}
