import { type Signal, signal } from "@preact/signals";
import { api, given } from "../../../api/client";
import type { Problem } from "../../../api/problem";
import { asProblem } from "../../../api/resource";
import {
  appended,
  type Book,
  hitsOf,
  isAtEnd,
  type LogWindow,
  opened,
  prepended,
  readLineId,
  STRETCH,
} from "./book";

export type Stream = "output" | "error";
const WHOLE_WINDOW = 2 * 1024 * 1024;

async function read(
  runId: string,
  stream: Stream,
  from: number,
  until: number | null,
  signal: AbortSignal,
): Promise<LogWindow> {
  const query = { from, stream, ...(until !== null && { until }) };
  const params = { path: { run_id: runId }, query };
  const answer = await given(api.GET("/api/pipelines/runs/{run_id}/logs", { params, signal }));
  if (!("unfinished" in answer)) throw new TypeError("The log came without its place.");
  return answer;
}

/** One log, of which the page holds a part: it grows at its end, and at its beginning when one goes back. */
export class OpenLog {
  readonly book: Signal<Book | null> = signal(null);
  readonly problem: Signal<Problem | null> = signal(null);
  readonly isSearching = signal(false);
  private readonly ended = new AbortController();
  private busy: Promise<void> | null = null;

  constructor(
    private readonly runId: string,
    readonly stream: Stream,
  ) {}

  /** Begin with the window of a line that an address names, else with the end. */
  open(line: string | undefined): Promise<void> {
    const at = readLineId(line);
    return this.take(async () => opened(await this.window(at?.from ?? -STRETCH, null)));
  }

  toStart(): Promise<void> {
    return this.take(async () => opened(await this.window(0, STRETCH)));
  }

  toEnd(): Promise<void> {
    return this.take(async () => opened(await this.window(-STRETCH, null)));
  }

  /** Read what stands behind, what was written meanwhile for example. */
  later(): Promise<void> {
    return this.take(async (book) => appended(book, await this.window(book.end, null)));
  }

  earlier(): Promise<void> {
    return this.take(async (book) => {
      if (book.start === 0) return book;
      return prepended(book, await this.window(Math.max(0, book.start - STRETCH), book.start));
    });
  }

  /** Look for a text in what stands before, window by window, and open the first that has it. */
  async searchBack(words: string): Promise<string | null> {
    const book = this.book.value;
    if (!book || this.isSearching.value) return null;
    this.isSearching.value = true;
    let found: string | null = null;
    try {
      let until = book.start;
      while (until > 0 && this.isSearching.value && found === null) {
        const part = await this.window(Math.max(0, until - WHOLE_WINDOW), until);
        if (part.from >= until) break;
        until = part.from;
        const seen = opened(part);
        found = hitsOf(seen, words).at(-1) ?? null;
        if (found !== null) this.book.value = seen;
      }
    } catch (error) {
      this.fail(error);
    } finally {
      this.isSearching.value = false;
    }
    return found;
  }

  stopSearching(): void {
    this.isSearching.value = false;
  }

  close(): void {
    this.isSearching.value = false;
    this.ended.abort();
  }

  private window(from: number, until: number | null): Promise<LogWindow> {
    return read(this.runId, this.stream, from, until, this.ended.signal);
  }

  /** One read at a time: what is asked for meanwhile is what the one under way brings, or is asked for again. */
  private take(act: (book: Book) => Promise<Book>): Promise<void> {
    if (this.busy) return this.busy;
    const empty = { content: "", unfinished: "", from: 0, next: 0, size: 0, fromFile: true };
    this.busy = act(this.book.value ?? opened(empty))
      .then((book) => {
        this.book.value = book;
        this.problem.value = null;
      })
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        this.busy = null;
      });
    return this.busy;
  }

  private fail(error: unknown): void {
    if (!this.ended.signal.aborted) this.problem.value = asProblem(error);
  }
}

export { isAtEnd };
