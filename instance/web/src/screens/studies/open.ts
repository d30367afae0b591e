import { KeptByTab } from "../../api/kept-by-tab";
import { user } from "../../session";
import { type Field, fieldsOf } from "./columns";
import { isKeptSheet, type KeptSheet } from "./kept-texts";
import { MetadataSheet } from "./metadata";
import { type Impact, readChecklist, readImpact, type Study, type StudyForm } from "./state";
import type { StudyProps } from "./study";

export interface Opening extends StudyProps {
  onSaved: () => void;
}

export interface Opened {
  readonly study: Study;
  readonly form: StudyForm;
  readonly fields: readonly Field[];
  readonly impact: Impact;
  readonly store: KeptByTab<KeptSheet>;
  /** What was kept of it, the newest first. */
  readonly kept: readonly KeptSheet[];
  readonly onSaved: () => void;
  readonly onOtherForm: () => void;
}

/** The sheet that was left last: what it saves after is not read before. */
let left: Promise<void> = Promise.resolve();

export function leaveSheet(sheet: MetadataSheet): void {
  left = sheet.close();
}

export async function openSheet(
  { study, form, of, onSaved, onOtherForm }: Opening,
  signal: AbortSignal,
): Promise<MetadataSheet> {
  await left;
  const { id, checklistType, mixsVersion } = study;
  const store = new KeptByTab(user.value?.id ?? "", `study:${id}`, isKeptSheet);
  const kept = await store.takeOver(Number.POSITIVE_INFINITY);
  // Another tab of this page has perhaps saved since the study was read.
  await of.reload();
  const [checklist, impact] = await Promise.all([
    checklistType === null ? null : readChecklist(checklistType, mixsVersion, signal),
    readImpact(id, null, signal),
  ]);
  const fields = fieldsOf(checklist, form);
  return new MetadataSheet({
    study: of.data.value ?? study,
    form,
    fields,
    impact,
    store,
    kept,
    onSaved,
    onOtherForm,
  });
}
