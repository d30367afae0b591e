/** What stands in the controls of a form, by key. */
type Texts = Readonly<Record<string, string>>;

export interface Rebased {
  readonly typed: Texts;
  /** The keys that both changed, and not to the same. */
  readonly disputed: readonly string[];
}

/** Go on with what was typed over what somebody else saved meanwhile: whatever only one of both changed is taken. */
export function rebased(typed: Texts, base: Texts, theirs: Texts): Rebased {
  const isMine = (key: string): boolean => typed[key] !== base[key];
  const disputed = Object.keys(theirs).filter(
    (key) => isMine(key) && theirs[key] !== base[key] && theirs[key] !== typed[key],
  );
  const next = Object.entries(theirs).map(([key, value]) => [key, isMine(key) ? typed[key] : value]);
  return { typed: Object.fromEntries(next), disputed };
}
