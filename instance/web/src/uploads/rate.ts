/** How fast bytes go, from what was noted in the last seconds. */
const SECONDS = 10;

export class Rate {
  readonly #notes: { at: number; bytes: number }[] = [];

  note(at: number, bytes: number): void {
    const last = this.#notes.at(-1);
    // What was found at the service, or was given up, is no movement.
    if (last !== undefined && bytes < last.bytes) this.#notes.length = 0;
    this.#notes.push({ at, bytes });
    while ((this.#notes[0]?.at ?? at) < at - SECONDS * 1000) this.#notes.shift();
  }

  /** Bytes in a second; null while too little is known. */
  get perSecond(): number | null {
    const [first, last] = [this.#notes[0], this.#notes.at(-1)];
    if (first === undefined || last === undefined || last.at - first.at < 1000) return null;
    return ((last.bytes - first.bytes) / (last.at - first.at)) * 1000;
  }

  forget(): void {
    this.#notes.length = 0;
  }
}

/** How long what is left will take; null where nobody knows. */
export const secondsLeft = (bytes: number, perSecond: number | null): number | null =>
  perSecond === null || perSecond <= 0 ? null : bytes / perSecond;
