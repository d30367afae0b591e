// The service knows this file by its name: its answer alone may compile WebAssembly.
import workerAddress from "./hash_worker?worker&url";
import { startWorker } from "./policy";

export type HashRequest = { id: number } & ({ files: readonly Blob[] } | { fingerprintOf: File });

export type HashAnswer = { id: number } & ({ bytes: number } | { hash: string } | { problem: string });

type Question = { files: readonly Blob[] } | { fingerprintOf: File };

/** Computes MD5 sums and fingerprints away from the page. */
export class Md5Worker {
  readonly #worker = startWorker(workerAddress);
  readonly #stopped = new AbortController();
  #lastId = 0;

  /**
   * Return the MD5 of a file in lowercase hex, or of several one behind the other; `onBytes` hears how much was
   * read. Rejects when one can't be read, and when the worker is stopped: one that was ended answers nothing more.
   */
  sum(file: Blob | readonly Blob[], onBytes: (bytes: number) => void): Promise<string> {
    return this.#ask({ files: file instanceof Blob ? [file] : file }, onBytes);
  }

  /** Return what tells this state of a file from any other. Rejects as `sum` does. Decision: G636. */
  fingerprint(file: File): Promise<string> {
    return this.#ask({ fingerprintOf: file }, () => {});
  }

  #ask(question: Question, onBytes: (bytes: number) => void): Promise<string> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const stopped = this.#stopped.signal;
      if (stopped.aborted) return reject(stopped.reason);
      const listen = new AbortController();
      const options = { signal: listen.signal };
      const stop = (): void => {
        listen.abort();
        reject(stopped.reason);
      };
      stopped.addEventListener("abort", stop, options);
      this.#worker.addEventListener(
        "message",
        ({ data }: MessageEvent<HashAnswer>) => {
          if (data.id !== id) return;
          if ("bytes" in data) return onBytes(data.bytes);
          listen.abort();
          if ("hash" in data) resolve(data.hash);
          else reject(new Error(data.problem));
        },
        options,
      );
      this.#worker.addEventListener(
        "error",
        (event) => {
          listen.abort();
          reject(new Error(event.message));
        },
        options,
      );
      this.#worker.postMessage({ id, ...question } satisfies HashRequest);
    });
  }

  stop(): void {
    this.#worker.terminate();
    this.#stopped.abort();
  }
}
