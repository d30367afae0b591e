// The service knows this file by its name: its answer alone may compile WebAssembly.
import workerAddress from "./hash_worker?worker&url";
import { startWorker } from "./policy";

export interface HashRequest {
  id: number;
  file: Blob;
}

export type HashAnswer = { id: number } & ({ bytes: number } | { md5: string } | { problem: string });

/** Computes MD5 sums away from the page, one file after the other. */
export class Md5Worker {
  readonly #worker = startWorker(workerAddress);
  readonly #stopped = new AbortController();
  #lastId = 0;

  /**
   * Return the MD5 of a file in lowercase hex; `onBytes` hears how much of it was read. Rejects when it can't be
   * read, and when the worker is stopped: a worker that was ended answers nothing more.
   */
  sum(file: Blob, onBytes: (bytes: number) => void): Promise<string> {
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
          if ("md5" in data) resolve(data.md5);
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
      this.#worker.postMessage({ id, file } satisfies HashRequest);
    });
  }

  stop(): void {
    this.#worker.terminate();
    this.#stopped.abort();
  }
}
