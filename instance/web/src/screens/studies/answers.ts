import type { Problem } from "../../api/problem";
import { valueFor } from "../../grid/form-columns";
import type { Column, Row, Rows } from "../../grid/table";
import { type Field, nameOfField, storedText } from "./columns";
import type { KeptTexts, Texts } from "./kept-texts";
import type { Sample, SampleBody } from "./state";
import { Units } from "./units";

/** What somebody else stored where nobody has typed here. */
export interface Change {
  readonly id: string;
  readonly key: string;
  readonly before: string;
  readonly now: string;
}

/** A text that was kept in this browser while something else was stored. */
export interface Dispute {
  readonly id: string;
  readonly key: string;
  readonly mine: string;
  readonly theirs: string;
}

/** What the samples of a study say: as it is stored, as it was typed, and what of it the service refused. */
export class Answers {
  readonly units: Units;
  #fields: ReadonlyMap<string, Field> = new Map();
  readonly #stored: Texts = {};
  readonly #now: Texts = {};
  readonly #refused = new Map<string, { text: string; reason: string }>();
  readonly #disputed = new Map<string, { text: string; base: string }>();

  constructor(samples: readonly Sample[], fields: readonly Field[]) {
    this.units = new Units(samples, fields);
    this.ask(fields, samples);
  }

  /** Go on with these fields: what stands in those that stay stays, the others begin with what is stored. */
  ask(fields: readonly Field[], samples: readonly Sample[]): void {
    this.#fields = new Map(fields.map((field) => [field.column.key, field]));
    for (const sample of samples) {
      const texts = fields.map((field) => [field.column.key, storedText(sample, field)] as const);
      for (const known of [this.#stored, this.#now]) {
        const before = known[sample.id] ?? {};
        known[sample.id] = Object.fromEntries(texts.map(([key, text]) => [key, before[key] ?? text]));
      }
    }
  }

  text(id: string, key: string): string {
    return this.#now[id]?.[key] ?? "";
  }

  stored(id: string, key: string): string {
    return this.#stored[id]?.[key] ?? "";
  }

  /** Why the service refused what stands there now. */
  refusal(id: string, key: string): string | undefined {
    const refused = this.#refused.get(placeOf(id, key));
    return refused?.text === this.text(id, key) ? refused.reason : undefined;
  }

  /** What is stored where something else was kept here, and nobody has decided yet. */
  dispute(id: string, key: string): Dispute | undefined {
    const [mine, theirs] = [this.text(id, key), this.stored(id, key)];
    const isOpen = this.#disputed.get(placeOf(id, key))?.text === mine && mine !== theirs;
    return isOpen ? { id, key, mine, theirs } : undefined;
  }

  disputes(): Dispute[] {
    if (this.#disputed.size === 0) return [];
    return cellsOf(this.#unsaved()).flatMap(({ id, key }) => this.dispute(id, key) ?? []);
  }

  /** What stands there now is sent, over what is stored. */
  keepMine(id: string, key: string): void {
    this.#disputed.delete(placeOf(id, key));
  }

  takeTheirs(id: string, key: string): void {
    const now = this.#now[id];
    if (now !== undefined) now[key] = this.stored(id, key);
  }

  /** Take a row of a grid, whose columns are some of the fields. */
  take(row: Row, columns: readonly Column[]): void {
    const now = this.#now[row.id];
    if (now === undefined) return;
    for (const [index, { key }] of columns.entries()) {
      if (this.#fields.has(key)) now[key] = row.cells[index] ?? "";
    }
  }

  /** What is not stored, whatever the reason; null when everything is. */
  kept(): KeptTexts | null {
    const [texts, units] = [this.#unsaved(), Object.fromEntries(this.units.unsent)];
    if (Object.keys(texts).length + Object.keys(units).length === 0) return null;
    const bases: Texts = {};
    for (const { id, key } of cellsOf(texts)) {
      const disputed = this.dispute(id, key) && this.#disputed.get(placeOf(id, key));
      bases[id] ??= {};
      bases[id][key] = disputed?.base ?? this.stored(id, key);
    }
    return { texts, bases, units };
  }

  /** Take what was typed before and kept in this browser. */
  restore({ texts, bases, units }: KeptTexts): void {
    for (const { id, key, text } of cellsOf(texts)) {
      const now = this.#now[id];
      if (now === undefined || !this.#fields.has(key)) continue;
      const base = bases[id]?.[key] ?? "";
      now[key] = text;
      if (base === this.stored(id, key)) this.#disputed.delete(placeOf(id, key));
      else this.#disputed.set(placeOf(id, key), { text, base });
    }
    for (const [key, unit] of Object.entries(units)) {
      if (this.#fields.has(key)) this.units.choose(key, unit);
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

  /** How many cells wait for somebody: they were refused, or something else is stored there. */
  get waiting(): number {
    if (this.#refused.size + this.#disputed.size === 0) return 0;
    return cellsOf(this.#unsaved()).filter(({ id, key }) => this.#waits(id, key)).length;
  }

  get hasToSend(): boolean {
    return this.units.unsent.size > 0 || Object.keys(this.toSend()).length > 0;
  }

  /** What is not stored and can be sent. */
  toSend(): Texts {
    return filtered(this.#unsaved(), (_text, id, key) => !this.#waits(id, key));
  }

  /** What is left of what was to be sent, after a refusal. */
  withoutRefused(sending: Texts): Texts {
    return filtered(sending, (text, id, key) => this.#refused.get(placeOf(id, key))?.text !== text);
  }

  /** What is sent: texts with the units of their cells, and units that were chosen for whole columns. */
  bodies(sending: Texts): SampleBody[] {
    const withUnits = this.units.unsent.size > 0 ? Object.keys(this.#now) : [];
    return [...new Set([...Object.keys(sending), ...withUnits])]
      .map((id) => this.#body(id, sending[id] ?? {}))
      .filter((body) => body !== null);
  }

  /** What was sent is stored. */
  settle(sent: Texts): void {
    for (const { id, key, text } of cellsOf(sent)) {
      const stored = this.#stored[id];
      if (stored !== undefined) stored[key] = text;
      this.#refused.delete(placeOf(id, key));
      this.#disputed.delete(placeOf(id, key));
    }
  }

  /** Whether a refusal names values of these bodies; they are left out from here on. */
  takeRefusal({ details }: Problem, bodies: readonly SampleBody[], sending: Texts): boolean {
    let isFound = false;
    for (const { path, reason } of details) {
      const match = /^samples\[(\d+)\]\.(checklistData|customFields)\.(.+)$/.exec(path ?? "");
      const id = bodies[Number(match?.[1])]?.id ?? "";
      const field = [...this.#fields.values()].find(
        (one) => nameOfField(one) === match?.[3] && (one.term === null) === (match[2] === "customFields"),
      );
      const text = field && sending[id]?.[field.column.key];
      if (field === undefined || text === undefined) continue;
      this.#refused.set(placeOf(id, field.column.key), { text, reason });
      isFound = true;
    }
    return isFound;
  }

  #unsaved(): Texts {
    return filtered(this.#now, (text, id, key) => text !== this.stored(id, key));
  }

  #waits(id: string, key: string): boolean {
    return this.refusal(id, key) !== undefined || this.dispute(id, key) !== undefined;
  }

  #body(id: string, texts: Readonly<Record<string, string>>): SampleBody | null {
    const checklistData: Record<string, unknown> = {};
    const checklistUnits: Record<string, unknown> = {};
    const customFields: Record<string, unknown> = {};
    for (const [key, text] of Object.entries(texts)) {
      const field = this.#fields.get(key);
      if (field === undefined) continue;
      if (field.term === null) customFields[nameOfField(field)] = valueFor(field.column.kind, text);
      else checklistData[key] = text === "" ? null : text;
    }
    for (const key of new Set([...Object.keys(texts), ...this.units.unsent.keys()])) {
      const text = texts[key] ?? this.stored(id, key);
      const isTerm = this.#fields.get(key)?.column.terms?.includes(text) === true;
      const unit = text === "" || isTerm ? undefined : this.units.of(id, key);
      if (unit !== this.units.stored(id, key)) checklistUnits[key] = unit ?? null;
    }
    const parts = Object.entries({ checklistData, checklistUnits, customFields }).filter(
      ([, part]) => Object.keys(part).length > 0,
    );
    return parts.length === 0 ? null : { id, ...Object.fromEntries(parts) };
  }
}

/** Lay what is stored now over rows in which it has not been changed. */
export function withStored(rows: Rows, columns: readonly Column[], changes: readonly Change[]): Rows {
  const placeByKey = new Map(columns.map(({ key }, place) => [key, place]));
  const byId = Map.groupBy(changes, ({ id }) => id);
  return rows.map((row) => {
    const cells = [...row.cells];
    for (const { key, before, now } of byId.get(row.id) ?? []) {
      const place = placeByKey.get(key);
      if (place !== undefined && cells[place] === before) cells[place] = now;
    }
    return byId.has(row.id) ? { ...row, cells } : row;
  });
}

const placeOf = (id: string, key: string): string => `${id} ${key}`;

function cellsOf(texts: Texts): { id: string; key: string; text: string }[] {
  return Object.entries(texts).flatMap(([id, ofSample]) =>
    Object.entries(ofSample).map(([key, text]) => ({ id, key, text })),
  );
}

function filtered(texts: Texts, takes: (text: string, id: string, key: string) => boolean): Texts {
  const found: Texts = {};
  for (const [id, ofSample] of Object.entries(texts)) {
    const taken = Object.entries(ofSample).filter(([key, text]) => takes(text, id, key));
    if (taken.length > 0) found[id] = Object.fromEntries(taken);
  }
  return found;
}
