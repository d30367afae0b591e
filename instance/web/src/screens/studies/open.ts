import { KeptByTab } from "../../api/kept-by-tab";
import { user } from "../../session";
import { type Field, fieldsOf } from "./columns";
import { isKeptTexts, type KeptTexts } from "./kept-texts";
import { MetadataSheet } from "./metadata";
import { type Impact, readChecklist, readImpact, type Study } from "./state";
import type { StudyProps } from "./study";

export interface Opening extends StudyProps {
  onSaved: () => void;
}

export interface Opened {
  readonly study: Study;
  readonly fields: readonly Field[];
  readonly impact: Impact;
  readonly store: KeptByTab<KeptTexts>;
  /** What was kept of it, the newest first. */
  readonly kept: readonly KeptTexts[];
  readonly onSaved: () => void;
}

/** The sheet that was left last: what it saves after is not read before. */
let left: Promise<void> = Promise.resolve();

export function leaveSheet(sheet: MetadataSheet): void {
  left = sheet.close();
}

export async function openSheet(
  { study, form, of, onSaved }: Opening,
  signal: AbortSignal,
): Promise<MetadataSheet> {
  await left;
  const { id, checklistType, mixsVersion } = study;
  const store = new KeptByTab(user.value?.id ?? "", `study:${id}`, isKeptTexts);
  const kept = await store.takeOver(Number.POSITIVE_INFINITY);
  // Another tab of this page has perhaps saved since the study was read.
  await of.reload();
  const [checklist, impact] = await Promise.all([
    checklistType === null ? null : readChecklist(checklistType, mixsVersion, signal),
    readImpact(id, null, signal),
  ]);
  const fields = fieldsOf(checklist, form);
  return new MetadataSheet({ study: of.data.value ?? study, fields, impact, store, kept, onSaved });
}
