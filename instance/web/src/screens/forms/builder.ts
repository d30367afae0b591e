import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { KeptByTab } from "../../api/kept-by-tab";
import { Problem } from "../../api/problem";
import { type Action, action, asProblem } from "../../api/resource";
import { isRecord } from "../../questions/form";
import { readTechnologies, type Technology } from "../../questions/platforms";
import { isDemo } from "../../session";
import { text } from "../../text/en/forms";
import { type Difference, differences } from "./compare";
import { type Form, findField } from "./form";
import { type Dispute, merged, takenTheirs } from "./merge";
import type { Impact, Saved, Source } from "./state";

const ASK_AFTER_MS = 400;
const KEEP_AFTER_MS = 250;
const MAX_UNDO = 100;

/** What is kept in the browser of a form that is not saved: what was made, and from what. */
interface KeptForm {
  readonly tag: string;
  readonly base: Form;
  readonly mine: Form;
}

function isForm(value: unknown): value is Form {
  return isRecord(value) && [value.fields, value.groups, value.enabledMixsChecklists].every(Array.isArray);
}

export function isKeptForm(value: unknown): value is KeptForm {
  return isRecord(value) && typeof value.tag === "string" && isForm(value.base) && isForm(value.mine);
}

const formOf = ({ fields, groups, enabledMixsChecklists }: Form): Form => ({
  fields,
  groups,
  enabledMixsChecklists,
});

/** A form that is being changed: what is stored, what it is to be, and what the service says of that. */
export class Builder {
  readonly source: Source;
  readonly saved: Signal<Saved>;
  readonly form: Signal<Form>;
  readonly chosen: Signal<string | null> = signal(null);
  readonly technologies: readonly Technology[];
  readonly changes: ReadonlySignal<readonly Difference[]>;
  readonly impact: Signal<Impact | null> = signal(null);
  /** Why it could not be saved as it is. */
  readonly refusal: Signal<Problem | null> = signal(null);
  readonly disputes: Signal<readonly Dispute[]> = signal([]);
  /** The version that somebody else has saved meanwhile, until a save over it. */
  readonly overtaken: Signal<Saved | null> = signal(null);
  readonly saving: Action<[]> = action(() => this.#save());
  readonly isKeptNowhere: Signal<boolean> = signal(false);
  readonly #past: Signal<readonly Form[]> = signal([]);
  readonly #store: KeptByTab<KeptForm>;
  readonly #stop = new AbortController();
  #asking = new AbortController();
  #typedAt: string | null = null;
  #askTimer = 0;
  #keepTimer = 0;
  readonly #unfollow: () => void;

  constructor(
    source: Source,
    saved: Saved,
    technologies: readonly Technology[],
    store: KeptByTab<KeptForm>,
    kept: KeptForm | undefined,
  ) {
    this.source = source;
    this.saved = signal(saved);
    this.form = signal(formOf(saved));
    this.technologies = technologies;
    this.#store = store;
    this.changes = computed(() => differences(this.saved.value, this.form.value));
    if (kept !== undefined) {
      const both = merged(kept.base, kept.mine, saved);
      this.form.value = both.form;
      this.disputes.value = both.disputes;
      if (kept.tag !== saved.tag) this.overtaken.value = saved;
    }
    this.#unfollow = effect(() => this.#follow(this.form.value));
    addEventListener("pagehide", () => this.#keep(), { signal: this.#stop.signal });
    addEventListener("beforeunload", (event) => this.isKeptNowhere.value && event.preventDefault(), {
      signal: this.#stop.signal,
    });
  }

  get canUndo(): boolean {
    return this.#past.value.length > 0;
  }

  get chosenField() {
    return findField(this.form.value, this.chosen.value);
  }

  /** Change the form; what is typed in one place is undone as one change. */
  change(next: Form, place: string | null = null): void {
    if (next === this.form.value) return;
    const isTypedOn = place !== null && place === this.#typedAt;
    this.#typedAt = place;
    batch(() => {
      if (!isTypedOn) this.#past.value = [...this.#past.value.slice(-MAX_UNDO), this.form.value];
      this.form.value = next;
    });
  }

  undo(): void {
    const before = this.#past.value.at(-1);
    if (before === undefined) return;
    this.#typedAt = null;
    batch(() => {
      this.#past.value = this.#past.value.slice(0, -1);
      this.form.value = before;
    });
  }

  /** Go back to what is stored. */
  discard(): void {
    batch(() => {
      this.change(formOf(this.saved.value));
      this.disputes.value = [];
      this.overtaken.value = null;
    });
  }

  settle(dispute: Dispute, isMine: boolean): void {
    batch(() => {
      if (!isMine) this.change(takenTheirs(this.form.value, dispute));
      this.disputes.value = this.disputes.value.filter((one) => one !== dispute);
    });
  }

  close(): void {
    this.#keep();
    this.#unfollow();
    this.#stop.abort();
    this.#asking.abort();
    clearTimeout(this.#askTimer);
    clearTimeout(this.#keepTimer);
  }

  async #save(): Promise<void> {
    if (this.disputes.value.length > 0) throw new Problem(text.decideFirst, 409);
    const sent = this.form.value;
    try {
      const saved = await this.source.save(sent, this.saved.value);
      const both = merged(sent, this.form.value, saved);
      batch(() => {
        this.saved.value = saved;
        this.form.value = both.form;
        this.overtaken.value = null;
        this.#forgetPast();
      });
      this.#keep();
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 409) throw error;
      await this.#catchUp();
    }
  }

  /** Somebody else has saved: lay what was changed here over it, and ask where both changed the same. */
  async #catchUp(): Promise<void> {
    const theirs = await this.source.read();
    const both = merged(formOf(this.saved.value), this.form.value, theirs);
    batch(() => {
      this.saved.value = theirs;
      this.form.value = both.form;
      this.disputes.value = both.disputes;
      this.overtaken.value = theirs;
      this.#forgetPast();
    });
  }

  /** What is typed on in the same place is a change of its own from here on. */
  #forgetPast(): void {
    this.#past.value = [];
    this.#typedAt = null;
  }

  #follow(form: Form): void {
    clearTimeout(this.#keepTimer);
    this.#keepTimer = window.setTimeout(() => this.#keep(), KEEP_AFTER_MS);
    clearTimeout(this.#askTimer);
    this.#asking.abort();
    if (isDemo.value) return;
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    this.#askTimer = window.setTimeout(() => void this.#ask(form, signal), ASK_AFTER_MS);
  }

  async #ask(form: Form, stop: AbortSignal): Promise<void> {
    if (this.changes.value.length === 0) {
      this.impact.value = null;
      this.refusal.value = null;
      return;
    }
    try {
      const impact = await this.source.impact(form, this.saved.value, stop);
      if (stop.aborted) return;
      this.impact.value = impact;
      this.refusal.value = null;
    } catch (error) {
      if (stop.aborted) return;
      this.impact.value = null;
      this.refusal.value = asProblem(error);
    }
  }

  #keep(): void {
    clearTimeout(this.#keepTimer);
    if (isDemo.value || this.changes.value.length === 0) {
      this.#store.forget();
      this.isKeptNowhere.value = false;
      return;
    }
    const { tag } = this.saved.value;
    const base = formOf(this.saved.value);
    this.isKeptNowhere.value = !this.#store.write({ tag, base, mine: this.form.value });
  }
}

export async function openBuilder(source: Source, person: string, stop: AbortSignal): Promise<Builder> {
  const store = new KeptByTab(person, source.record, isKeptForm);
  const [saved, technologies, kept] = await Promise.all([
    source.read(stop),
    readTechnologies(stop),
    store.takeOver(1),
  ]);
  return new Builder(source, saved, technologies, store, kept[0]);
}
