import type { Kind } from "../../registry-updates/differences";
import { count, counted, list } from "../format";

const KIND_WORDS: Record<Kind, string> = {
  new: "New",
  changed: "Changed",
  kept: "Kept because you decided so",
  gone: "Gone from the registry",
};

/** What the catalog and the checklists say of an update from the registry. */
export const updateText = {
  look: "Look for changes",
  apply: "Apply changes",
  kinds: KIND_WORDS,
  values: (values: number): string => counted(values, "value", "values"),
  becomes: "becomes",
  stays: "stays; the registry has",
  showAll: (objects: number): string => `Show all ${count(objects)}`,
  leftOut: "Left out: the registry has them in a form that can't be used",
  remarks: "What is odd in the registry's answer",
  toRegistry: "See whether the registry is trusted",
} as const;

/** A value as a person reads it. */
export function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (Array.isArray(value)) return value.length === 0 ? "nothing" : list(value.map(valueWords));
  if (typeof value === "object") {
    const parts = Object.entries(value).map(([key, part]) => `${key}: ${valueWords(part)}`);
    return parts.length === 0 ? "nothing" : parts.join("; ");
  }
  return String(value);
}
