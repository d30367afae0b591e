import type { Problem } from "../../api/problem";
import { asProblem } from "../../api/resource";

const JUDGE_AFTER_MS = 400;
const SAVE_AFTER_MS = 1500;
const TRY_AGAIN_MS = 5000;
const MOST_TRY_AGAIN_MS = 60_000;

interface Steps {
  judge(): Promise<void>;
  save(): Promise<void>;
  failed(problem: Problem): void;
}

/** When a draft is judged and saved: after the last key, one thing at a time, and again after a failure that may pass. */
export class Autosave {
  readonly #steps: Steps;
  #work: Promise<void> = Promise.resolve();
  #judgeTimer = 0;
  #saveTimer = 0;
  #tryAgainMs = TRY_AGAIN_MS;

  constructor(steps: Steps) {
    this.#steps = steps;
  }

  touched(): void {
    clearTimeout(this.#judgeTimer);
    this.#tryAgainMs = TRY_AGAIN_MS;
    this.#judgeTimer = window.setTimeout(() => this.enqueue(() => this.#steps.judge()), JUDGE_AFTER_MS);
    this.saveIn(SAVE_AFTER_MS);
  }

  saveIn(milliseconds: number): void {
    clearTimeout(this.#saveTimer);
    this.#saveTimer = window.setTimeout(() => this.enqueue(() => this.#steps.save()), milliseconds);
  }

  /** Do nothing by itself until something is touched. */
  rest(): void {
    clearTimeout(this.#judgeTimer);
    clearTimeout(this.#saveTimer);
  }

  /** Save now, and wait until it and what was before it is done. */
  async now(): Promise<void> {
    this.rest();
    this.enqueue(() => this.#steps.save());
    // WHY: a save may find more to do, such as reading a form that has changed.
    for (let work: Promise<void> | null = null; work !== this.#work; ) {
      work = this.#work;
      await work;
    }
  }

  /** One thing at a time: two saves of new rows at once would make them twice. */
  enqueue(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((error) => {
      const problem = asProblem(error);
      this.#steps.failed(problem);
      // What may be otherwise in a moment is tried again by itself; a refusal waits for a person.
      if (problem.status !== 0 && problem.status !== 429 && problem.status < 500) return;
      this.saveIn(Math.max(this.#tryAgainMs, 1000 * (problem.retryAfterSeconds ?? 0)));
      this.#tryAgainMs = Math.min(2 * this.#tryAgainMs, MOST_TRY_AGAIN_MS);
    });
  }
}
