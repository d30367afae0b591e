import { useState } from "preact/hooks";
import type { LastSave } from "../api/last-save";
import { disputeText } from "../text/en/disputes";
import { Disputes } from "./disputes";
import { STAYS_OPEN } from "./form-dialog";
import { changesOf, rebased, type Values } from "./rebased";

interface Stored<T> {
  read: () => Promise<T>;
  write: (changes: Partial<T>) => Promise<void>;
  readLastSave: () => Promise<LastSave | null>;
}

/**
 * What was typed in a dialog over a stored record. What only somebody else changed meanwhile is kept, and what
 * both changed is decided before it is saved.
 *
 * Decision: G1095.
 */
export function useRecordDraft<T extends Values>(stored: T) {
  const [base, setBase] = useState(stored);
  const [typed, setTyped] = useState(stored);
  const [disputed, setDisputed] = useState<readonly (keyof T & string)[]>([]);
  const [by, setBy] = useState<LastSave | null>(null);
  const decide = (keys: readonly string[], taken: T): void => {
    setDisputed(disputed.filter((key) => !keys.includes(key)));
    setTyped(taken);
  };
  return {
    typed,
    theirs: base,
    disputed,
    by,
    change: (changes: Partial<T>) => setTyped({ ...typed, ...changes }),
    keepMine: (keys: readonly string[]) => decide(keys, typed),
    takeTheirs(keys: readonly string[]) {
      const taken = keys.map((key) => [key, base[key]]);
      decide(keys, { ...typed, ...Object.fromEntries(taken) });
    },
    /** Save over what is stored now; the form stays open where somebody has to decide first. */
    async save({ read, write, readLastSave }: Stored<T>): Promise<unknown> {
      const now = await read();
      const next = rebased(typed, base, now);
      if (next.disputed.length === 0) return write(changesOf(now, next.typed));
      setBy(await readLastSave());
      setBase(now);
      setTyped(next.typed);
      setDisputed(next.disputed);
      return STAYS_OPEN;
    },
  };
}

interface Props<T extends Values> {
  draft: ReturnType<typeof useRecordDraft<T>>;
  labels: Readonly<Record<keyof T, string>>;
  /** A value that is not written as it is stored. */
  inWords?: ((key: keyof T & string, value: T[keyof T]) => string | undefined) | undefined;
}

/** The fields that both changed, with both values. */
export function RecordDisputes<T extends Values>({ draft, labels, inWords }: Props<T>) {
  const written = (key: keyof T & string, values: T): string =>
    inWords?.(key, values[key]) ?? (String(values[key]) || disputeText.empty);
  return (
    <Disputes
      disputes={draft.disputed.map((key) => ({
        id: key,
        what: labels[key],
        mine: written(key, draft.typed),
        theirs: written(key, draft.theirs),
      }))}
      by={draft.by}
      keepMine={draft.keepMine}
      takeTheirs={draft.takeTheirs}
    />
  );
}
