/** How what the registry offers differs from what is here, as objects and their values. */

export const KINDS = ["new", "changed", "kept", "gone"] as const;
/** `kept`: the registry has something else, and what the facility decided stays. */
export type Kind = (typeof KINDS)[number];

/** One value that differs: `before` is here, `after` is the registry's; null or undefined is nothing. */
export interface ValueChange {
  readonly label: string;
  readonly before: unknown;
  readonly after: unknown;
  /** The facility set it itself: `before` stays. */
  readonly isKept?: boolean;
}

export interface ObjectChange {
  readonly id: string;
  readonly name: string;
  readonly href?: string | undefined;
  readonly kind: Kind;
  /** What no old and new value says, a sentence each. */
  readonly notes?: readonly string[];
  readonly values?: readonly ValueChange[];
}

export interface Group {
  readonly kind: Kind;
  readonly objects: readonly ObjectChange[];
}

/** The kinds that occur, each with its objects by name. */
export function grouped(objects: readonly ObjectChange[]): Group[] {
  return KINDS.map((kind) => ({
    kind,
    objects: objects
      .filter((one) => one.kind === kind)
      .toSorted((one, other) => one.name.localeCompare(other.name) || one.id.localeCompare(other.id)),
  })).filter((group) => group.objects.length > 0);
}

type Values = Readonly<Record<string, unknown>>;

/** The values of two objects that are not equal, in the order of the keys; what is new comes last. */
export function valueChanges(before: Values, after: Values, labelOf: (key: string) => string): ValueChange[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys]
    .filter((key) => canonical(before[key]) !== canonical(after[key]))
    .map((key) => ({ label: labelOf(key), before: before[key], after: after[key] }));
}

/** JSON that is the same for equal values: the order of keys says nothing, and null is nothing. */
const canonical = (value: unknown): string =>
  JSON.stringify(value ?? null, (_key, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part,
  );

const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);
