import { checkJoinable, type Hashing } from "./hashing";
import { ChunkSize, chunkOf, pauseMs } from "./pace";
import type { Item, Limits, State } from "./protocol";
import {
  abandon,
  append,
  Broken,
  Closed,
  complete,
  initiate,
  Moved,
  Refused,
  SignedOut,
  session,
  type There,
} from "./service";

/** What the file of a sender hears while it goes on. */
export interface Watcher {
  state(state: State): void;
  sent(bytes: number): void;
  hashed(bytes: number): void;
  /** Settles once somebody is signed in again. */
  signedIn(stop: AbortSignal): Promise<void>;
  /** Settles after so long, or when the computer comes back to a network. */
  wait(milliseconds: number, stop: AbortSignal): Promise<void>;
}

/**
 * Sends one file until it is filed. What counts is what the service says it has: after any break it is asked, and
 * sending goes on there. Decision: G740.
 */
export class Sender {
  readonly #chunk: ChunkSize;
  readonly #files: readonly File[];
  #uploadId: string | null;
  /** Whether the last who wrote to the session were we: then it is nobody else who is seen sending. */
  #isOurs = false;
  /** Whether the session has other bytes than the file. */
  #isSpoilt = false;
  #breaks = 0;
  #md5: string | null = null;

  constructor(
    readonly item: Item,
    limits: Limits,
    readonly hashing: Hashing,
    readonly watcher: Watcher,
  ) {
    this.#chunk = new ChunkSize(limits);
    this.#files = item.parts.map(({ file }) => file);
    this.#uploadId = item.uploadId;
  }

  /** Answers whether the file was there already. Raises `Refused`, and what `stop` was given. */
  async send(stop: AbortSignal): Promise<boolean> {
    const { item, hashing } = this;
    this.watcher.state({ is: "sending" });
    await hashing.checkUnchanged(item.parts);
    await checkJoinable(item.parts);
    const over = new AbortController();
    try {
      const hashed = this.#hashed(AbortSignal.any([stop, over.signal]));
      // WHY: it may fail before anybody waits for it; who does hears of it.
      hashed.catch(() => undefined);
      if (item.sameMd5s.length > 0) {
        this.watcher.state({ is: "hashing" });
        if (item.sameMd5s.includes(await hashed)) return true;
      }
      return await this.#sendOn(hashed, stop);
    } finally {
      over.abort();
    }
  }

  /** Give up what the service has of the file. */
  async forget(stop: AbortSignal): Promise<void> {
    if (this.#uploadId !== null) await abandon(this.item, this.#uploadId, stop);
    this.#uploadId = null;
    this.#isOurs = this.#isSpoilt = false;
  }

  async #hashed(stop: AbortSignal): Promise<string> {
    const { item, hashing, watcher } = this;
    this.#md5 ??= await hashing.md5(item.parts, stop, (bytes) => watcher.hashed(bytes));
    return this.#md5;
  }

  async #sendOn(hashed: Promise<string>, stop: AbortSignal): Promise<boolean> {
    let at: number | null = null;
    for (;;) {
      try {
        if (at === null) {
          if (this.#isSpoilt) await this.forget(stop);
          const there: There = await this.#there(stop);
          if (there.status === "COMPLETED") return !this.#isOurs;
          at = there.received;
        }
        this.watcher.sent(at);
        if (at >= this.item.size) {
          await this.#file(hashed, stop);
          return false;
        }
        at = await this.#append(at, stop);
      } catch (error) {
        stop.throwIfAborted();
        at = null;
        await this.#recover(error, stop);
      }
    }
  }

  /** Find the session to send to, and at which byte it is. */
  async #there(stop: AbortSignal): Promise<There> {
    const { item, watcher } = this;
    if (this.#uploadId === null) {
      const there = await initiate(item, stop);
      this.#uploadId = there.uploadId;
      if (there.status === "PENDING" || there.status === "COMPLETED") return there;
    }
    for (let round = 0; ; round++) {
      const now = await session(item, this.#uploadId, stop);
      if (now.status === "CANCELLED") throw new Closed();
      if (now.status === "COMPLETED" || this.#isOurs || !now.isReceiving)
        return { uploadId: now.uploadId, status: now.status, received: now.receivedSize };
      // Somebody else sends this file, or our last chunk from before a reload is still written. Decision: G638.
      watcher.state({ is: "elsewhere" });
      watcher.sent(now.receivedSize);
      await watcher.wait(pauseMs(round), stop);
    }
  }

  /** Send the next chunk; answers at which byte the service is then. */
  async #append(at: number, stop: AbortSignal): Promise<number> {
    const { item, watcher } = this;
    const length = Math.min(this.#chunk.bytes, item.size - at);
    const body = chunkOf(this.#files, at, length);
    const begun = performance.now();
    watcher.state({ is: "sending" });
    this.#isOurs = true;
    const received = await append(item, this.#uploadId ?? "", at, body, stop, (bytes) =>
      watcher.sent(at + Math.min(bytes, length)),
    );
    this.#breaks = 0;
    this.#chunk.took(performance.now() - begun, length);
    return received;
  }

  async #file(hashed: Promise<string>, stop: AbortSignal): Promise<void> {
    const { item, watcher, hashing } = this;
    watcher.state({ is: "hashing" });
    const md5 = await hashed;
    if (item.listedMd5 !== null && item.listedMd5 !== md5) throw new Refused("listDiffers");
    await hashing.checkUnchanged(item.parts);
    watcher.state({ is: "verifying" });
    this.#isOurs = true;
    await complete(item, this.#uploadId ?? "", md5, stop);
  }

  /** Wait until it makes sense to ask again; raises what nothing but a person can change. */
  async #recover(error: unknown, stop: AbortSignal): Promise<void> {
    if (error instanceof Moved) this.#isOurs = false;
    else if (error instanceof SignedOut) await this.watcher.signedIn(stop);
    else if (error instanceof Broken) {
      // A request of whose body a part can't be read fails as if the line had.
      await this.hashing.checkUnchanged(this.item.parts);
      this.#chunk.broke();
      const pause = pauseMs(this.#breaks, error.askedSeconds);
      this.#breaks += 1;
      this.watcher.state({ is: "broken", until: Date.now() + pause });
      await this.watcher.wait(pause, stop);
    } else if (error instanceof Closed && !this.#isOurs) {
      // It was over before we began, so a new one is opened.
      this.#uploadId = null;
    } else if (error instanceof Closed) {
      this.#uploadId = null;
      this.#isOurs = false;
      throw new Refused("cancelled");
    } else {
      this.#isSpoilt = error instanceof Refused && error.why === "bytesDiffer";
      throw error;
    }
  }
}
