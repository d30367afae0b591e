/** What somebody has changed and not saved, setting by setting. */
import type { Setting, Values } from "./state";

export interface Edit {
  readonly mine: unknown;
  /** What was stored when it was changed here, or when somebody decided to keep it all the same. */
  readonly seen: unknown;
  /** It holds a secret, and somebody else saved the section: nobody can see whether it was the same one. */
  readonly isUnsure?: true;
}

/** Of one section, by the key of the setting. */
export type Edits = Readonly<Record<string, Edit>>;

export const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** What is stored of a setting; of a secret only whether there is one. */
export const storedOf = ({ key, kind }: Setting, values: Values): unknown =>
  values[kind === "secret" ? `${key}IsSet` : key] ?? null;

/** What its control shows: a secret only what was typed here. */
export function shownOf(setting: Setting, values: Values, edits: Edits): unknown {
  const edit = edits[setting.key];
  if (edit) return edit.mine;
  return setting.kind === "secret" ? undefined : storedOf(setting, values);
}

export function withEdit(setting: Setting, values: Values, edits: Edits, mine: unknown): Edits {
  const { [setting.key]: before, ...others } = edits;
  const stored = storedOf(setting, values);
  const isBack = setting.kind === "secret" ? mine === undefined : same(mine, stored);
  if (isBack) return others;
  return { ...others, [setting.key]: { ...before, mine, seen: before ? before.seen : stored } };
}

/** Whether something that nobody is shown would be saved with it. */
function holdsSecret(setting: Setting, mine: unknown): boolean {
  if (setting.kind === "secret") return true;
  const secrets = setting.fields.filter(({ kind }) => kind === "secret").map(({ key }) => key);
  return Array.isArray(mine) && mine.some((record) => secrets.some((key) => Object.hasOwn(record, key)));
}

/**
 * The edits after `sent` was saved and `saved` is stored: what was typed on meanwhile is still to be saved, over
 * that. What was not sent keeps what was seen when it was changed, so that somebody else's save in between shows.
 */
export const afterMySave = (settings: readonly Setting[], saved: Values, sent: Edits, edits: Edits): Edits =>
  mapped(settings, edits, (setting, edit) => {
    const mine = sent[setting.key];
    if (mine === undefined) return edit;
    return mine === edit ? null : { ...edit, seen: storedOf(setting, saved) };
  });

/** The edits after somebody else has saved the section. */
export const afterTheirSave = (settings: readonly Setting[], edits: Edits): Edits =>
  mapped(settings, edits, (setting, edit) =>
    holdsSecret(setting, edit.mine) ? { ...edit, isUnsure: true } : edit,
  );

/** Only the edits that are still to be saved: what is stored already needs nobody. */
export const stillOpen = (settings: readonly Setting[], values: Values, edits: Edits): Edits =>
  mapped(settings, edits, (setting, edit) =>
    setting.kind !== "secret" && same(edit.mine, storedOf(setting, values)) ? null : edit,
  );

/** The settings that were changed here and by somebody else. */
export const disputed = (settings: readonly Setting[], values: Values, edits: Edits): Setting[] =>
  settings.filter((setting) => {
    const edit = edits[setting.key];
    if (edit === undefined) return false;
    return edit.isUnsure || (setting.kind !== "secret" && !same(edit.seen, storedOf(setting, values)));
  });

export function keptMine(settings: readonly Setting[], values: Values, edits: Edits): Edits {
  const kept = settings.flatMap((setting) => {
    const edit = edits[setting.key];
    return edit ? [[setting.key, { mine: edit.mine, seen: storedOf(setting, values) }] as const] : [];
  });
  return { ...edits, ...Object.fromEntries(kept) };
}

export function takenTheirs(settings: readonly Setting[], edits: Edits): Edits {
  const gone = new Set(settings.map(({ key }) => key));
  return Object.fromEntries(Object.entries(edits).filter(([key]) => !gone.has(key)));
}

/** What a save sends. Records with names are merged by the server: those that are gone are sent as null. */
export function changesOf(settings: readonly Setting[], values: Values, edits: Edits): Values {
  const changes: Record<string, unknown> = {};
  for (const setting of settings) {
    const edit = edits[setting.key];
    if (edit === undefined) continue;
    const gone = setting.kind === "named-records" ? Object.keys(recordOf(values[setting.key])) : [];
    changes[setting.key] =
      gone.length === 0
        ? edit.mine
        : { ...Object.fromEntries(gone.map((name) => [name, null])), ...recordOf(edit.mine) };
  }
  return changes;
}

/** What may stay in the browser: everything but secrets. */
export const keepable = (settings: readonly Setting[], edits: Edits): Edits =>
  mapped(settings, edits, (setting, edit) => (holdsSecret(setting, edit.mine) ? null : edit));

export const recordOf = (value: unknown): Values =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};

function mapped(
  settings: readonly Setting[],
  edits: Edits,
  change: (setting: Setting, edit: Edit) => Edit | null,
): Edits {
  const next = settings.flatMap((setting) => {
    const edit = edits[setting.key];
    const changed = edit && change(setting, edit);
    return changed ? [[setting.key, changed] as const] : [];
  });
  return Object.fromEntries(next);
}

/** Whether it is what an earlier page kept: edits by section and setting. */
export function isKept(value: unknown): value is Readonly<Record<string, Edits>> {
  return Object.values(recordOf(value)).every((edits) =>
    Object.values(recordOf(edits)).every((edit) => {
      const known = recordOf(edit);
      return Object.hasOwn(known, "mine") && Object.hasOwn(known, "seen");
    }),
  );
}
