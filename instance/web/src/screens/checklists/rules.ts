import type { ObjectChange } from "../../registry-updates/differences";
import { checklistText as text } from "../../text/en/checklists";
import type { Field, Listed, Update } from "./state";

export const LIST = "/facility/checklists";

export const addressOf = (accession: string): string => `${LIST}/${encodeURIComponent(accession)}`;

type Changed = Update["diff"]["changed"][number];

/** What an update would do to each checklist. */
export function objectChanges({ diff }: Update, listed: readonly Listed[]): ObjectChange[] {
  const nameOf = (accession: string): string => diff.names[accession] ?? accession;
  const usedBy = (accession: string): string[] => {
    const studies = listed.find((one) => one.accession === accession)?.studies ?? 0;
    return studies === 0 ? [] : [text.usedBy(studies)];
  };
  const stays = (accession: string): string[] => (diff.keptOff.includes(accession) ? [text.staysOff] : []);
  return [
    ...diff.added.map((id): ObjectChange => ({ id, name: nameOf(id), kind: "new", notes: stays(id) })),
    ...diff.changed.map((changed): ObjectChange => {
      const id = changed.accession;
      const notes = [...fieldNotes(changed), ...usedBy(id), ...stays(id)];
      const kind = diff.keptOff.includes(id) ? "kept" : "changed";
      return { id, name: nameOf(id), href: addressOf(id), kind, notes, values: valuesOf(changed) };
    }),
    ...diff.removed.map((id): ObjectChange => {
      const notes = [text.staysHere, ...usedBy(id)];
      return { id, name: nameOf(id), href: addressOf(id), kind: "gone", notes };
    }),
  ];
}

function fieldNotes({ newFields, removedFields, newlyRequired, labels }: Changed): string[] {
  const named = (names: readonly string[]): string[] => names.map((name) => labels[name] ?? name);
  return [
    newFields.length > 0 && text.newFields(named(newFields)),
    newlyRequired.length > 0 && text.newlyRequired(named(newlyRequired)),
    removedFields.length > 0 && text.removedFields(named(removedFields)),
  ].filter((note) => note !== false);
}

const valuesOf = ({ values, labels }: Changed) =>
  values.map(({ field, key, before, after }) => ({
    label: field === null ? text.keys(key) : text.valueOf(labels[field] ?? field, key),
    before,
    after,
  }));

/** How many studies use a checklist that changes or goes. */
export function studiesTouched({ diff }: Update, listed: readonly Listed[]): number {
  const touched = new Set([...diff.removed, ...diff.changed.map(({ accession }) => accession)]);
  return listed
    .filter(({ accession }) => touched.has(accession))
    .reduce((sum, { studies }) => sum + studies, 0);
}

const has = (texts: readonly (string | null)[], words: string): boolean => {
  const text = texts.join(" ").toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

/** Whether the words of a search stand in what a checklist says of itself. */
export const isFound = ({ name, accession, description }: Listed, words: string): boolean =>
  has([name, accession, description], words);

export const isFieldFound = (field: Field, words: string): boolean =>
  has([field.label, field.name, field.helpText, field.section, ...field.options], words);

export interface Section {
  readonly name: string;
  readonly fields: readonly Field[];
}

/** The fields by section, in the order of the checklist. */
export function sections(fields: readonly Field[]): Section[] {
  const found = new Map<string, Field[]>();
  for (const field of fields.toSorted((one, other) => one.order - other.order)) {
    const there = found.get(field.section);
    if (there) there.push(field);
    else found.set(field.section, [field]);
  }
  return [...found].map(([name, inside]) => ({ name, fields: inside }));
}
