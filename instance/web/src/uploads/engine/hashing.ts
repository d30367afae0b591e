import { Md5Worker } from "../../workers/md5";
import type { Part } from "./protocol";
import { Refused } from "./service";

/** Hash workers for as many files as are sent at a time; each hashes while its file is sent. */
export class Hashing {
  readonly #idle: Md5Worker[] = [];

  /** The MD5 of parts one behind the other. Raises `Refused` when one can't be read. */
  async md5(parts: readonly Part[], stop: AbortSignal, onBytes: (bytes: number) => void): Promise<string> {
    const worker = this.#idle.pop() ?? new Md5Worker();
    const end = (): void => worker.stop();
    stop.addEventListener("abort", end);
    try {
      const files = parts.map(({ file }) => file);
      const md5 = await worker.sum(files, onBytes);
      this.#idle.push(worker);
      return md5;
    } catch {
      worker.stop();
      stop.throwIfAborted();
      throw await whyUnreadable(parts);
    } finally {
      stop.removeEventListener("abort", end);
    }
  }

  /** Raise `Refused` unless the files are as they were when the plan was made. */
  async checkUnchanged(parts: readonly Part[]): Promise<void> {
    const worker = this.#idle.pop() ?? new Md5Worker();
    try {
      for (const { file, fingerprint } of parts) {
        const now = await worker.fingerprint(file).catch(() => null);
        if (now === null) throw await whyUnreadable(parts);
        if (now !== fingerprint) throw new Refused("changed");
      }
    } finally {
      this.#idle.push(worker);
    }
  }
}

/** Browsers tell of a file that was written to since it was chosen by a name of the error, of one that is gone by another. */
async function whyUnreadable(parts: readonly Part[]): Promise<Refused> {
  for (const { file } of parts) {
    try {
      await file.slice(0, 1).arrayBuffer();
    } catch (reason) {
      const isGone = reason instanceof DOMException && reason.name === "NotFoundError";
      return new Refused(isGone ? "unreadable" : "changed");
    }
  }
  return new Refused("unreadable");
}

/** Raise `Refused` when text would go on in the last line of the part before it. Decision: G425. */
export async function checkJoinable(parts: readonly Part[]): Promise<void> {
  for (const { path, file } of parts.slice(0, -1)) {
    if (path.toLowerCase().endsWith(".gz")) continue;
    const last = new Uint8Array(await file.slice(-1).arrayBuffer())[0];
    if (last !== 10) throw new Refused("notJoinable", path);
  }
}
