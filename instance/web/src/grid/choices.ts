/** What the list under a cell offers. */
import type { Column } from "./table";

/** A choice: what it shows, and what it writes into which columns. */
export interface Choice {
  readonly label: string;
  readonly detail?: string | undefined;
  readonly texts: ReadonlyMap<string, string>;
}

/** Asks for values that fit what was typed; the screen knows where they come from. */
export type Suggest = (column: Column, typed: string, signal: AbortSignal) => Promise<readonly Choice[]>;

export const MAX_CHOICES = 50;

export function hasOptions({ kind }: Column): boolean {
  return kind === "select" || kind === "multiselect" || kind === "checkbox";
}

/** Return the options that hold what was typed, those that begin with it first. */
export function optionsFor(column: Column, typed: string): Choice[] {
  const options = column.kind === "checkbox" ? ["yes", "no"] : column.options;
  const last = column.kind === "multiselect" ? typed.lastIndexOf(";") + 1 : 0;
  const kept = typed.slice(0, last).trim();
  const wanted = typed.slice(last).trim().toLowerCase();
  const found = options.filter((option) => option.toLowerCase().includes(wanted));
  const first = found.filter((option) => option.toLowerCase().startsWith(wanted));
  return [...first, ...found.filter((option) => !first.includes(option))]
    .slice(0, MAX_CHOICES)
    .map((label) => ({
      label,
      texts: new Map([[column.key, kept === "" ? label : `${kept} ${label}`]]),
    }));
}
