import { batch, type ReadonlySignal, signal } from "@preact/signals";
import type { Problem } from "../../../api/problem";
import { asProblem } from "../../../api/resource";
import { Md5Worker } from "../../../workers/md5";
import type { DeliveredFile } from "./files";
import { type FolderFile, pairUp, readChecksums } from "./folder-check";

export type Verdict = "waiting" | "reading" | "ok" | "elsewhere" | "differs" | "missing" | "unreadable";

export interface CheckedFile {
  path: string;
  md5: string;
  verdict: Verdict;
}

export interface FolderCheck {
  readonly files: ReadonlySignal<readonly CheckedFile[]>;
  readonly problem: ReadonlySignal<Problem | null>;
  readonly isRunning: ReadonlySignal<boolean>;
  /** Bytes that were read, and how many there are to read. */
  readonly bytes: ReadonlySignal<{ done: number; all: number }>;
  run(folder: readonly FolderFile[]): Promise<void>;
  stop(): void;
}

/** Compare the files of a folder with the list of a delivery; `readList` gives the list. */
export function folderCheck(
  readList: () => Promise<string>,
  delivered: readonly DeliveredFile[],
): FolderCheck {
  const files = signal<readonly CheckedFile[]>([]);
  const problem = signal<Problem | null>(null);
  const isRunning = signal(false);
  const bytes = signal({ done: 0, all: 0 });
  let worker: Md5Worker | null = null;

  const judge = (md5: string, path: string, verdict: Verdict): void => {
    files.value = files.value.map((file) =>
      file.md5 === md5 && file.path === path ? { ...file, verdict } : file,
    );
  };

  async function compare(folder: readonly FolderFile[], md5Of: (file: File) => Promise<string | null>) {
    const pairs = pairUp(readChecksums(await readList()), folder);
    const paired = new Set(pairs.map(({ found }) => found?.path));
    const sizes = sizesOf(
      pairs.filter(({ found }) => !found).map(({ listed }) => listed.md5),
      delivered,
    );
    // A tool may have named a file otherwise: one of the size of a missing file is known by its content.
    const strangers = folder.filter(({ path, file }) => !paired.has(path) && sizes.has(file.size));
    const read = [...pairs.flatMap(({ found }) => found ?? []), ...strangers];
    batch(() => {
      files.value = pairs.map(({ listed, found }) => ({
        ...listed,
        verdict: found ? "waiting" : strangers.length > 0 ? "waiting" : "missing",
      }));
      bytes.value = { done: 0, all: read.reduce((sum, { file }) => sum + file.size, 0) };
    });
    for (const { listed, found } of pairs) {
      if (!found) continue;
      judge(listed.md5, listed.path, "reading");
      const md5 = await md5Of(found.file);
      judge(listed.md5, listed.path, md5 === null ? "unreadable" : md5 === listed.md5 ? "ok" : "differs");
    }
    const contents = new Set<string | null>();
    for (const { file } of strangers) contents.add(await md5Of(file));
    for (const { listed, found } of pairs) {
      if (!found) judge(listed.md5, listed.path, contents.has(listed.md5) ? "elsewhere" : "missing");
    }
  }

  return {
    files,
    problem,
    isRunning,
    bytes,
    async run(folder) {
      const own = new Md5Worker();
      worker = own;
      isRunning.value = true;
      problem.value = null;
      try {
        await compare(folder, async (file) => {
          const before = bytes.value.done;
          const md5 = await own
            .sum(file, (done) => {
              bytes.value = { ...bytes.value, done: before + done };
            })
            .catch(() => null);
          bytes.value = { ...bytes.value, done: before + file.size };
          return md5;
        });
      } catch (reason) {
        problem.value = asProblem(reason);
      } finally {
        own.stop();
        isRunning.value = false;
      }
    },
    stop() {
      worker?.stop();
      isRunning.value = false;
    },
  };
}

function sizesOf(md5s: readonly string[], delivered: readonly DeliveredFile[]): Set<number | null> {
  const wanted = new Set<string | null>(md5s);
  return new Set(delivered.filter(({ md5 }) => wanted.has(md5)).map(({ size }) => size));
}
