/** What of a study a version of its checklist touches. */
import { text } from "../../text/en/studies";
import type { Checklists, Impact, Study } from "./state";

export type TouchedSample = Impact["samples"][number];

/** Return the samples that have to be looked at because of the version, each with what of it is new. */
export function touchedBy(impact: Impact): TouchedSample[] {
  const asked = new Set([...impact.addedFields, ...impact.newlyRequired, ...impact.changedFields]);
  return impact.samples
    .map((sample) => ({
      ...sample,
      missing: sample.missing.filter((name) => asked.has(name)),
      wrong: sample.wrong.filter(({ field }) => asked.has(field)),
    }))
    .filter(({ missing, wrong, obsolete }) => missing.length + wrong.length + obsolete.length > 0);
}

export type Change = "added" | "newlyRequired" | "changed" | "removed";

/** Fields with what becomes of them, and how many samples that touches. */
export function changesOf(impact: Impact): { field: string; changes: Change[]; samples: number }[] {
  const named: readonly (readonly [Change, readonly string[]])[] = [
    ["added", impact.addedFields],
    ["newlyRequired", impact.newlyRequired],
    ["changed", impact.changedFields],
    ["removed", impact.removedFields],
  ];
  const touched = touchedBy(impact);
  const fields = [...new Set(named.flatMap(([, names]) => names))];
  return fields.map((field) => ({
    field,
    changes: named.filter(([, names]) => names.includes(field)).map(([change]) => change),
    samples: touched.filter(
      ({ missing, wrong, obsolete }) =>
        missing.includes(field) || obsolete.includes(field) || wrong.some((one) => one.field === field),
    ).length,
  }));
}

/** What a newer version means, in one sentence. */
export function isOut(impact: Impact): string {
  const { targetVersion, addedFields, newlyRequired } = impact;
  return text.isOut(targetVersion, addedFields.length, newlyRequired.length, touchedBy(impact).length);
}

/** Whether the facility has a newer version than the study is on. */
export function isBehind({ checklistType, mixsVersion }: Study, { version }: Checklists): boolean {
  return checklistType !== null && version > mixsVersion;
}
