import { batch, type ReadonlySignal, signal } from "@preact/signals";
import type { Problem } from "../../../api/problem";
import { asProblem } from "../../../api/resource";
import type { DeliveredFile } from "./files";
import { type FolderFile, pairUp, readChecksums } from "./folder-check";

export type Verdict =
  | "waiting"
  | "reading"
  | "ok"
  | "elsewhere"
  | "differs"
  | "missing"
  | "unreadable"
  | "skipped";

export interface CheckedFile {
  path: string;
  md5: string;
  verdict: Verdict;
}

/** What a check came to. `unlisted` files were released without an MD5: nothing is known of them. */
export type Outcome =
  | { kind: "nothingListed" }
  | { kind: "noneFound" }
  | { kind: "stopped"; compared: number; all: number }
  | { kind: "compared"; wrong: number; all: number; unlisted: number };

/** Computes MD5 sums; once stopped, all that it was asked for is rejected. */
export interface FileHasher {
  sum(file: Blob, onBytes: (bytes: number) => void): Promise<string>;
  stop(): void;
}

export interface ChecksumList {
  list: string;
  /** How many files of the delivery are not in the list, since their MD5 is not known. */
  unlisted: number;
}

export interface FolderCheck {
  readonly files: ReadonlySignal<readonly CheckedFile[]>;
  /** Null before a check has ended. */
  readonly outcome: ReadonlySignal<Outcome | null>;
  readonly problem: ReadonlySignal<Problem | null>;
  readonly isRunning: ReadonlySignal<boolean>;
  /** Bytes that were read, and how many there are to read. */
  readonly bytes: ReadonlySignal<{ done: number; all: number }>;
  run(folder: readonly FolderFile[]): Promise<void>;
  stop(): void;
}

/** Compare the files of a folder with the list of a delivery; `readList` gives the list. */
export function folderCheck(
  readList: () => Promise<ChecksumList>,
  delivered: readonly DeliveredFile[],
  startHasher: () => FileHasher,
): FolderCheck {
  const files = signal<readonly CheckedFile[]>([]);
  const outcome = signal<Outcome | null>(null);
  const problem = signal<Problem | null>(null);
  const isRunning = signal(false);
  const bytes = signal({ done: 0, all: 0 });
  let stopped = new AbortController();

  const judge = (md5: string, path: string, verdict: Verdict): void => {
    files.value = files.value.map((file) =>
      file.md5 === md5 && file.path === path ? { ...file, verdict } : file,
    );
  };

  /** Return how many files are not in the list. */
  async function compare(
    folder: readonly FolderFile[],
    md5Of: (file: File) => Promise<string | null>,
  ): Promise<number> {
    const { list, unlisted } = await readList();
    const pairs = pairUp(readChecksums(list), folder);
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
    return unlisted;
  }

  return {
    files,
    outcome,
    problem,
    isRunning,
    bytes,
    async run(folder) {
      if (isRunning.value) return;
      const hasher = startHasher();
      const mine = new AbortController();
      mine.signal.addEventListener("abort", () => hasher.stop());
      stopped = mine;
      batch(() => {
        files.value = [];
        outcome.value = null;
        problem.value = null;
        isRunning.value = true;
      });
      try {
        const unlisted = await compare(folder, async (file) => {
          mine.signal.throwIfAborted();
          const before = bytes.value.done;
          const md5 = await hasher
            .sum(file, (done) => {
              bytes.value = { ...bytes.value, done: before + done };
            })
            .catch(() => null);
          // WHY: what was being read then is not unreadable.
          mine.signal.throwIfAborted();
          bytes.value = { ...bytes.value, done: before + file.size };
          return md5;
        });
        outcome.value = outcomeOf(files.value, unlisted);
      } catch (reason) {
        if (mine.signal.aborted) {
          files.value = files.value.map(unread);
          outcome.value = stoppedAt(files.value);
        } else problem.value = asProblem(reason);
      } finally {
        hasher.stop();
        isRunning.value = false;
      }
    },
    stop() {
      stopped.abort();
    },
  };
}

function unread(file: CheckedFile): CheckedFile {
  const isOpen = file.verdict === "waiting" || file.verdict === "reading";
  return isOpen ? { ...file, verdict: "skipped" } : file;
}

function stoppedAt(files: readonly CheckedFile[]): Outcome {
  const compared = files.filter(({ verdict }) => verdict !== "skipped").length;
  return { kind: "stopped", compared, all: files.length };
}

function outcomeOf(files: readonly CheckedFile[], unlisted: number): Outcome {
  if (files.length === 0) return { kind: "nothingListed" };
  if (files.every(({ verdict }) => verdict === "missing")) return { kind: "noneFound" };
  const wrong = files.filter(({ verdict }) => verdict !== "ok" && verdict !== "elsewhere").length;
  return { kind: "compared", wrong, all: files.length, unlisted };
}

function sizesOf(md5s: readonly string[], delivered: readonly DeliveredFile[]): Set<number | null> {
  const wanted = new Set<string | null>(md5s);
  return new Set(delivered.filter(({ md5 }) => wanted.has(md5)).map(({ size }) => size));
}
