import { ChecklistField } from "../../questions/checklist-field";
import { text } from "../../text/en/new-order";
import type { Draft } from "./draft";

export function ChecklistSection({ draft }: { draft: Draft }) {
  return (
    <ChecklistField
      offered={draft.form.enabledMixsChecklists}
      name="checklists"
      label={text.checklistLabel}
      help={text.checklistHelp}
      value={draft.checklists.value[0] ?? ""}
      onInput={(accession) => draft.chooseChecklist(accession)}
    />
  );
}
