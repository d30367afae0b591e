/** What stands in the controls of a form, by key. */
export type Values = Readonly<Record<string, string | boolean>>;

export interface Rebased<T extends Values> {
  readonly typed: T;
  /** The keys that both changed, and not to the same. */
  readonly disputed: readonly (keyof T & string)[];
}

/** Go on with what was typed over what somebody else saved meanwhile: whatever only one of both changed is taken. */
export function rebased<T extends Values>(typed: T, base: T, theirs: T): Rebased<T> {
  const isMine = (key: string): boolean => typed[key] !== base[key];
  const disputed = Object.keys(theirs).filter(
    (key) => isMine(key) && theirs[key] !== base[key] && theirs[key] !== typed[key],
  );
  const next = Object.entries(theirs).map(([key, value]) => [key, isMine(key) ? typed[key] : value]);
  return { typed: Object.fromEntries(next) as T, disputed };
}

/** The values of `after` that are others than before. */
export function changesOf<T extends Values>(before: T, after: T): Partial<T> {
  const changed = Object.entries(after).filter(([key, value]) => value !== before[key]);
  return Object.fromEntries(changed) as Partial<T>;
}
