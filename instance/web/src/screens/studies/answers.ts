import { type Signal, signal } from "@preact/signals";
import type { Problem } from "../../api/problem";
import { valueFor } from "../../grid/form-columns";
import type { Column, Row } from "../../grid/table";
import { type Field, nameOfField, storedText } from "./columns";
import type { Sample, SampleBody } from "./state";

/** Texts by the id of a sample, then by the key of a column. */
export type Texts = Record<string, Record<string, string>>;

/** A sample with the keys of what of it is not stored. */
export interface Unsaved {
  readonly id: string;
  readonly keys: readonly string[];
}

/** What somebody else stored where nobody has typed here. */
export interface Change {
  readonly id: string;
  readonly key: string;
  readonly before: string;
  readonly now: string;
}

/** What the samples of a study say: as it is stored, as it was typed, and what of it the service refused. */
export class Answers {
  readonly units: Signal<ReadonlyMap<string, string>>;
  readonly #fields: ReadonlyMap<string, Field>;
  readonly #stored: Texts = {};
  readonly #now: Texts = {};
  readonly #refused = new Map<string, { text: string; reason: string }>();
  readonly #changedUnits = new Set<string>();

  constructor(samples: readonly Sample[], fields: readonly Field[]) {
    this.#fields = new Map(fields.map((field) => [field.column.key, field]));
    this.units = signal(unitsOf(samples, fields));
    for (const sample of samples) {
      const texts = fields.map((field) => [field.column.key, storedText(sample, field)] as const);
      this.#stored[sample.id] = Object.fromEntries(texts);
      this.#now[sample.id] = Object.fromEntries(texts);
    }
  }

  get hasUnsaved(): boolean {
    return this.#changedUnits.size > 0 || this.unsaved().length > 0;
  }

  text(id: string, key: string): string {
    return this.#now[id]?.[key] ?? "";
  }

  /** Why the service refused what stands there now. */
  refusal(id: string, key: string): string | undefined {
    const refused = this.#refused.get(`${id} ${key}`);
    return refused?.text === this.text(id, key) ? refused.reason : undefined;
  }

  /** Take a row of a grid, whose columns are some of the fields. */
  take(row: Row, columns: readonly Column[]): void {
    const now = this.#now[row.id];
    if (now === undefined) return;
    for (const [index, { key }] of columns.entries()) {
      if (this.#fields.has(key)) now[key] = row.cells[index] ?? "";
    }
  }

  /** Take what was typed before and kept in this browser. */
  restore(texts: Texts): void {
    for (const [id, ofSample] of Object.entries(texts)) {
      const now = this.#now[id];
      if (now === undefined) continue;
      for (const [key, text] of Object.entries(ofSample)) if (this.#fields.has(key)) now[key] = text;
    }
  }

  /** Take what the service has now; what somebody typed here stays as it is. */
  takeStored(samples: readonly Sample[]): Change[] {
    const changes: Change[] = [];
    for (const sample of samples) {
      const [stored, typed] = [this.#stored[sample.id], this.#now[sample.id]];
      if (stored === undefined || typed === undefined) continue;
      for (const [key, field] of this.#fields) {
        const [before, now] = [stored[key] ?? "", storedText(sample, field)];
        if (before === now) continue;
        stored[key] = now;
        if (typed[key] !== before) continue;
        typed[key] = now;
        changes.push({ id: sample.id, key, before, now });
      }
    }
    return changes;
  }

  chooseUnit(key: string, unit: string): void {
    this.units.value = new Map([...this.units.value, [key, unit]]);
    this.#changedUnits.add(key);
  }

  get changedUnits(): readonly string[] {
    return [...this.#changedUnits];
  }

  /** Samples with what of them is not stored; a text that was refused is not sent again. */
  unsaved(): Unsaved[] {
    return Object.entries(this.#now).flatMap(([id, texts]) => {
      const keys = Object.keys(texts).filter(
        (key) => texts[key] !== this.#stored[id]?.[key] && this.refusal(id, key) === undefined,
      );
      return keys.length === 0 ? [] : [{ id, keys }];
    });
  }

  /** What is not stored, as texts: to keep it, or to know afterwards what was sent. */
  textsOf(unsaved: readonly Unsaved[]): Texts {
    return Object.fromEntries(
      unsaved.map(({ id, keys }) => [id, Object.fromEntries(keys.map((key) => [key, this.text(id, key)]))]),
    );
  }

  /** What is sent, of samples with something new and, when a unit has changed, of all. */
  bodies(unsaved: readonly Unsaved[]): SampleBody[] {
    const byId = new Map(unsaved.map(({ id, keys }) => [id, keys]));
    const withUnits = this.#changedUnits.size > 0 ? Object.keys(this.#now) : [];
    return [...new Set([...byId.keys(), ...withUnits])]
      .map((id) => this.#body(id, byId.get(id) ?? []))
      .filter((body) => body !== null);
  }

  /** What was sent is stored, but what was refused of it. */
  settle(sent: Texts, units: readonly string[]): void {
    for (const [id, texts] of Object.entries(sent)) {
      for (const [key, text] of Object.entries(texts)) {
        const stored = this.#stored[id];
        if (stored !== undefined && !this.#refused.has(`${id} ${key}`)) stored[key] = text;
      }
    }
    for (const key of units) this.#changedUnits.delete(key);
  }

  /** Whether a refusal names values of these bodies; they are left out from here on. */
  takeRefusal({ details }: Problem, bodies: readonly SampleBody[]): boolean {
    let isFound = false;
    for (const { path, reason } of details) {
      const match = /^samples\[(\d+)\]\.(checklistData|customFields)\.(.+)$/.exec(path ?? "");
      const id = bodies[Number(match?.[1])]?.id;
      const field = [...this.#fields.values()].find(
        (one) => nameOfField(one) === match?.[3] && (one.term === null) === (match[2] === "customFields"),
      );
      if (id === undefined || field === undefined) continue;
      const { key } = field.column;
      this.#refused.set(`${id} ${key}`, { text: this.text(id, key), reason });
      isFound = true;
    }
    return isFound;
  }

  #body(id: string, keys: readonly string[]): SampleBody | null {
    const checklistData: Record<string, unknown> = {};
    const checklistUnits: Record<string, unknown> = {};
    const customFields: Record<string, unknown> = {};
    for (const key of keys) {
      const field = this.#fields.get(key);
      const text = this.text(id, key);
      if (field === undefined || this.refusal(id, key) !== undefined) continue;
      if (field.term === null) customFields[nameOfField(field)] = valueFor(field.column.kind, text);
      else checklistData[key] = text === "" ? null : text;
    }
    for (const [key, unit] of this.units.value) {
      if (!keys.includes(key) && !this.#changedUnits.has(key)) continue;
      const text = this.text(id, key);
      const isTerm = this.#fields.get(key)?.column.terms?.includes(text) === true;
      checklistUnits[key] = text === "" || isTerm ? null : unit;
    }
    const parts = Object.entries({ checklistData, checklistUnits, customFields }).filter(
      ([, part]) => Object.keys(part).length > 0,
    );
    return parts.length === 0 ? null : { id, ...Object.fromEntries(parts) };
  }
}

export function isTexts(value: unknown): value is Texts {
  const isMap = (one: unknown): one is object =>
    typeof one === "object" && one !== null && !Array.isArray(one);
  return (
    isMap(value) &&
    Object.values(value).every(
      (texts) => isMap(texts) && Object.values(texts).every((text) => typeof text === "string"),
    )
  );
}

/** The unit of each column that has one: what the samples say, else the first that the term offers. */
function unitsOf(samples: readonly Sample[], fields: readonly Field[]): ReadonlyMap<string, string> {
  return new Map(
    fields.flatMap(({ column, units }) => {
      const said = samples.map(({ checklistUnits }) => checklistUnits[column.key]);
      const unit = said.find((one) => typeof one === "string") ?? units[0];
      return unit === undefined ? [] : [[column.key, String(unit)]];
    }),
  );
}
