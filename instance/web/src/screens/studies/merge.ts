import { textOf } from "../../grid/form-columns";
import type { Details } from "./details";

const TEXTS = ["title", "alias", "description", "checklistType"] as const;
const METADATA = "metadata.";

/** What stands at a path as the API writes it, `title` or `metadata.depth`, as text. */
export function readAnswer(details: Details, path: string): string {
  const known = TEXTS.find((name) => name === path);
  return known ? details[known] : textOf(details.metadata[path.slice(METADATA.length)]);
}

/** Take over what stands at a path in other details. */
export function withAnswer(details: Details, from: Details, path: string): Details {
  const known = TEXTS.find((name) => name === path);
  if (known) return { ...details, [known]: from[known] };
  const name = path.slice(METADATA.length);
  return { ...details, metadata: { ...details.metadata, [name]: from.metadata[name] ?? null } };
}

/** The paths at which two details differ. */
export function changesOf(one: Details, other: Details): string[] {
  const answers = new Set([...Object.keys(one.metadata), ...Object.keys(other.metadata)]);
  const paths = [...TEXTS, ...[...answers].map((name) => `${METADATA}${name}`)];
  return paths.filter((path) => readAnswer(one, path) !== readAnswer(other, path));
}

/** What was changed here stays, on top of what somebody else changed since `base`. */
export function mergeDetails(base: Details, mine: Details, theirs: Details): Details {
  return changesOf(base, mine).reduce((merged, path) => withAnswer(merged, mine, path), theirs);
}

/** The paths at which both changed `base`, each to something else. */
export function conflictsOf(base: Details, mine: Details, theirs: Details): string[] {
  const changed = new Set(changesOf(base, mine));
  const differ = new Set(changesOf(mine, theirs));
  return changesOf(base, theirs).filter((path) => changed.has(path) && differ.has(path));
}
