import type { Column, Row } from "../../grid/table";
import type { Field } from "./columns";
import type { Sample } from "./state";

/** The units of measured values: each sample has its own, and somebody may choose one for a whole column. */
export class Units {
  readonly #fields: readonly Field[];
  /** What the samples say, by their id, then by the key of a column. */
  readonly #own = new Map<string, ReadonlyMap<string, string>>();
  readonly #chosen = new Map<string, string>();
  readonly #unsent = new Set<string>();

  constructor(samples: readonly Sample[], fields: readonly Field[]) {
    this.#fields = fields;
    this.takeStored(samples);
  }

  /** Units that were chosen and are not stored yet. */
  get unsent(): ReadonlyMap<string, string> {
    return new Map([...this.#chosen].filter(([key]) => this.#unsent.has(key)));
  }

  /** From here on all samples have this unit in the column. */
  choose(key: string, unit: string): void {
    this.#chosen.set(key, unit);
    this.#unsent.add(key);
  }

  /** Take what the service has now, and answer whether that is something else. */
  takeStored(samples: readonly Sample[]): boolean {
    let isOther = false;
    for (const { id, checklistUnits } of samples) {
      const [before, now] = [this.#own.get(id), new Map<string, string>()];
      for (const [key, unit] of Object.entries(checklistUnits)) {
        if (typeof unit !== "string") continue;
        now.set(key, unit);
        isOther ||= before?.get(key) !== unit;
      }
      isOther ||= before?.size !== now.size;
      this.#own.set(id, now);
    }
    return isOther;
  }

  settle(sent: ReadonlyMap<string, string>): void {
    for (const [key, unit] of sent) if (this.#chosen.get(key) === unit) this.#unsent.delete(key);
  }

  /** The units of a column: more than one where samples differ. */
  inUse(key: string): readonly string[] {
    const chosen = this.#chosen.get(key);
    if (chosen !== undefined && this.#unsent.has(key)) return [chosen];
    const own = [...this.#own.values()].map((units) => units.get(key)).filter((unit) => unit !== undefined);
    const offered = this.#fields.find(({ column }) => column.key === key)?.units.slice(0, 1) ?? [];
    const ifNone = chosen === undefined ? offered : [chosen];
    return own.length > 0 ? [...new Set(own)] : ifNone;
  }

  /** The unit that a value of a sample has, or gets with what is typed there. */
  of(id: string, key: string): string | undefined {
    const chosen = this.#chosen.get(key);
    if (this.#unsent.has(key)) return chosen;
    return this.stored(id, key) ?? chosen ?? this.inUse(key)[0];
  }

  stored(id: string, key: string): string | undefined {
    return this.#own.get(id)?.get(key);
  }
}

/** A column headed by its units; where samples differ, each value shows its own. */
export function withUnits(
  column: Column,
  answers: { readonly units: Units; text(id: string, key: string): string },
): Column {
  const { key, terms } = column;
  const inUse = answers.units.inUse(key);
  if (inUse.length < 2) return { ...column, unit: inUse[0] ?? column.unit };
  const unitOf = ({ id }: Row): string | undefined => {
    const value = answers.text(id, key);
    return value === "" || terms?.includes(value) ? undefined : answers.units.of(id, key);
  };
  return { ...column, unit: inUse.join(", "), unitOf };
}
