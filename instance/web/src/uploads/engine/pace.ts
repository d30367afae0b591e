/** How much a request carries, and how long to wait before the next one. */
import type { Limits } from "./protocol";

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
const LARGEST_CHUNK_BYTES = 64 * 1024 * 1024;
const SMALLEST_CHUNK_BYTES = 1024 * 1024;
/** A chunk that takes less is followed by a larger one. */
const QUICK_MS = 1000;

/** Pauses double from a second to a minute; a facility that asks for more patience gets it. */
export const pauseMs = (attempt: number, askedSeconds = 0): number =>
  Math.max(
    Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempt, 10)),
    Math.min(askedSeconds, 300) * 1000,
  );

/** The size of chunks: grows while they are quick, shrinks after a break, and never passes what is allowed. */
export class ChunkSize {
  #bytes: number;
  readonly #largest: number;
  readonly #smallest: number;

  constructor({ recommendedChunkBytes, maxChunkBytes }: Limits) {
    this.#largest = Math.min(
      Math.max(LARGEST_CHUNK_BYTES, recommendedChunkBytes),
      maxChunkBytes ?? Number.POSITIVE_INFINITY,
    );
    this.#bytes = Math.min(recommendedChunkBytes, this.#largest);
    this.#smallest = Math.min(SMALLEST_CHUNK_BYTES, this.#bytes);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Hear how long a chunk took. One that was smaller than asked, the last of a file, says nothing. */
  took(milliseconds: number, sentBytes: number): void {
    if (sentBytes >= this.#bytes && milliseconds < QUICK_MS)
      this.#bytes = Math.min(this.#largest, this.#bytes * 2);
  }

  broke(): void {
    this.#bytes = Math.max(this.#smallest, Math.floor(this.#bytes / 2));
  }
}

/** The bytes `[from, from + length)` of files that lie one behind the other, as one body. */
export function chunkOf(files: readonly Blob[], from: number, length: number): Blob {
  const pieces: Blob[] = [];
  let start = 0;
  for (const file of files) {
    const first = Math.max(0, from - start);
    const end = Math.min(file.size, from + length - start);
    if (first < end) pieces.push(file.slice(first, end));
    start += file.size;
  }
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : new Blob(pieces);
}
