/** Two people changed the same form: what both may have, and what one of them has to decide. */
import type { FormField, FormGroup } from "../../questions/form";
import { labelOf } from "./compare";
import type { Form } from "./form";

type Item = FormField | FormGroup;
type Part = "field" | "group";

/** What two people changed differently; without a key one of them removed what the other changed. */
export interface Dispute {
  readonly part: Part;
  readonly id: string;
  readonly label: string;
  readonly key: string | null;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export interface Merged {
  /** With mine where it is disputed. */
  readonly form: Form;
  readonly disputes: readonly Dispute[];
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Lay what I changed of `base` over what they made of it. */
export function merged(base: Form, mine: Form, theirs: Form): Merged {
  const disputes: Dispute[] = [];
  const fields = mergedItems("field", base.fields, mine.fields, theirs.fields, disputes);
  const groups = mergedItems("group", base.groups, mine.groups, theirs.groups, disputes);
  const known = new Set(groups.map(({ id }) => id));
  const added = mine.enabledMixsChecklists.filter((one) => !base.enabledMixsChecklists.includes(one));
  const removed = base.enabledMixsChecklists.filter((one) => !mine.enabledMixsChecklists.includes(one));
  const offered = theirs.enabledMixsChecklists.filter((one) => !removed.includes(one));
  return {
    form: {
      // A group that only one of us still had: its fields stay, in none.
      fields: fields.map((field) =>
        field.groupId !== null && !known.has(field.groupId) ? { ...field, groupId: null } : field,
      ),
      groups,
      enabledMixsChecklists: [...new Set([...offered, ...added])],
    },
    disputes,
  };
}

function mergedItems<T extends Item>(
  part: Part,
  base: readonly T[],
  mine: readonly T[],
  theirs: readonly T[],
  disputes: Dispute[],
): T[] {
  const [before, own, other] = [byId(base), byId(mine), byId(theirs)];
  const found: T[] = [];
  for (const id of new Set([...theirs, ...mine].map((item) => item.id))) {
    const [was, here, there] = [before.get(id), own.get(id), other.get(id)];
    if (here && there) found.push(mergedItem(part, was, here, there, disputes));
    else if (here && was === undefined) found.push(here);
    else if (there && was === undefined) found.push(there);
    else if (was && !isSame(was, here ?? there)) {
      const item = here ?? there ?? was;
      disputes.push({ part, id, label: labelOf(item), key: null, mine: here, theirs: there });
      if (here) found.push(here);
    }
  }
  return found;
}

/** Keys that follow from where an item stands: nobody decides about them, the last one to move it has moved it. */
const SILENT = ["order"];

function mergedItem<T extends Item>(
  part: Part,
  was: T | undefined,
  mine: T,
  theirs: T,
  disputes: Dispute[],
): T {
  const [base, own, other] = [entriesOf(was), entriesOf(mine), entriesOf(theirs)];
  const result = new Map(own);
  for (const key of new Set([...own.keys(), ...other.keys()])) {
    const [before, here, there] = [base.get(key), own.get(key), other.get(key)];
    if (isSame(here, before)) result.set(key, there);
    else if (!isSame(there, before) && !isSame(here, there) && !SILENT.includes(key))
      disputes.push({ part, id: mine.id, label: labelOf(mine), key, mine: here, theirs: there });
  }
  return withEntries(mine, result);
}

function entriesOf(item: Item | undefined): Map<string, unknown> {
  return new Map(Object.entries(item ?? {}));
}

/** The keys that an item has; one without a value is not there. */
function withEntries<T extends Item>(item: T, entries: ReadonlyMap<string, unknown>): T {
  const kept = [...entries].filter(([, value]) => value !== undefined);
  const { id } = item;
  return Object.assign({ ...item }, blank(item), Object.fromEntries(kept), { id });
}

/** Everything of an item as missing: what the merge leaves out goes. */
function blank(item: Item): Record<string, undefined> {
  return Object.fromEntries(Object.keys(item).map((key) => [key, undefined]));
}

/** Take theirs of a dispute into a form; mine is in it already. */
export function takenTheirs(form: Form, { part, id, key, theirs }: Dispute): Form {
  return part === "field"
    ? { ...form, fields: taken(form.fields, id, key, theirs) }
    : { ...form, groups: taken(form.groups, id, key, theirs) };
}

function taken<T extends Item>(items: readonly T[], id: string, key: string | null, theirs: unknown): T[] {
  if (key !== null) return items.map((item) => (item.id === id ? { ...item, [key]: theirs } : item));
  const rest = items.filter((item) => item.id !== id);
  return theirs === undefined ? rest : [...rest, theirs as T];
}

function byId<T extends Item>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}
