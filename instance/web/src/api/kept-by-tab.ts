/** What is kept of a record that several tabs have open: an entry for each, so that none writes over another's. */
import { kept } from "./kept";

const CLAIM_MS = 400;

/** This page, for as long as it lives: a reload is another one. */
const PAGE = crypto.getRandomValues(new Uint32Array(2)).join("-");

/** Pages whose entries are this one's: itself, and those that are gone. */
const mine = new Map<string, Promise<boolean>>();

/**
 * Hold the lock of a page until this one ends; false when that page still lives.
 *
 * Locks exist on safe addresses only: elsewhere the last page that opens a record takes everything.
 */
function claim(page: string): Promise<boolean> {
  const locks: LockManager | undefined = navigator.locks;
  if (locks === undefined) return Promise.resolve(true);
  const known = mine.get(page);
  if (known !== undefined) return known;
  const claimed = new Promise<boolean>((resolve) => {
    // WHY wait at all: the lock of a page that is being reloaded is free a little after the next one began.
    const signal = page === PAGE ? undefined : AbortSignal.timeout(CLAIM_MS);
    const hold = (): Promise<never> => {
      resolve(true);
      return new Promise(() => {});
    };
    locks.request(`seqfacility:page:${page}`, signal ? { signal } : {}, hold).catch(() => {
      mine.delete(page);
      resolve(false);
    });
  });
  mine.set(page, claimed);
  return claimed;
}

export class KeptByTab<T> {
  readonly #person: string;
  readonly #record: string;
  readonly #isShape: (value: unknown) => value is T;
  /** Entries that this page has taken over, and replaces as soon as it writes its own. */
  #taken: readonly string[] = [];

  constructor(person: string, record: string, isShape: (value: unknown) => value is T) {
    this.#person = person;
    this.#record = record;
    this.#isShape = isShape;
    void claim(PAGE);
  }

  /** Return what this page and pages that are gone kept of the record, the newest first, and own it. */
  async takeOver(most: number): Promise<T[]> {
    const prefix = this.#prefix;
    const found = Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length))
      .flatMap((page) => {
        const entry = this.#of(page).read();
        return entry === null ? [] : [{ page, ...entry }];
      })
      .toSorted((one, other) => other.at.getTime() - one.at.getTime());
    const own: typeof found = [];
    for (const entry of found) if (own.length < most && (await claim(entry.page))) own.push(entry);
    this.#taken = own.map(({ page }) => page).filter((page) => page !== PAGE);
    return own.map(({ value }) => value);
  }

  /** Keep it; false when this browser can't. */
  write(value: T): boolean {
    const isKept = this.#of(PAGE).write(value);
    if (isKept) this.#dropTaken();
    return isKept;
  }

  forget(): void {
    this.#of(PAGE).forget();
    this.#dropTaken();
  }

  #dropTaken(): void {
    for (const page of this.#taken) this.#of(page).forget();
    this.#taken = [];
  }

  get #prefix(): string {
    return kept(this.#person, `${this.#record}@`, this.#isShape).key;
  }

  #of(page: string) {
    return kept(this.#person, `${this.#record}@${page}`, this.#isShape);
  }
}
