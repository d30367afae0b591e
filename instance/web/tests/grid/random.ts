/** A small generator of cases for property tests; the seed stands in the name of the failing case. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Return a whole number from 0 to `below` - 1 (mulberry32). */
  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }

  one<T>(of: readonly [T, ...T[]]): T {
    return of[this.below(of.length)] ?? of[0];
  }

  text(characters: readonly [string, ...string[]], most: number): string {
    return Array.from({ length: this.below(most + 1) }, () => this.one(characters)).join("");
  }
}

export function seeds(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
