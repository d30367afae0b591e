import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type FieldProps, SelectField } from "../../parts/field";
import { text } from "../../text/en/new-order";
import type { Draft } from "./draft";
import { type Checklist, readChecklists } from "./requests";

export function ChecklistSection({ draft }: { draft: Draft }) {
  return (
    <ChecklistField
      draft={draft}
      name="checklists"
      label={text.checklistLabel}
      help={text.checklistHelp}
      value={draft.checklists.value[0] ?? ""}
      onInput={(accession) => draft.chooseChecklist(accession)}
    />
  );
}

interface Props extends FieldProps {
  draft: Draft;
  value: string;
  onInput: (accession: string) => void;
}

/** The checklists that the form offers. Their names are read when somebody gets here. */
export function ChecklistField({ draft, value, onInput, ...shared }: Props) {
  const names = useSignal<readonly Checklist[]>([]);
  const read = (): void => {
    if (names.value.length > 0) return;
    readChecklists().then(
      (found) => {
        names.value = found;
      },
      () => {},
    );
  };
  useEffect(() => {
    if (value !== "") read();
  }, []);
  const nameOf = (accession: string): string =>
    names.value.find((checklist) => checklist.accession === accession)?.name ?? accession;
  const offered = draft.form.enabledMixsChecklists;
  return (
    <div onFocusIn={read} onPointerEnter={read}>
      <SelectField
        {...shared}
        none={text.checklistNone}
        value={value}
        onInput={onInput}
        choices={offered.map((accession) => ({ value: accession, label: nameOf(accession) }))}
      />
    </div>
  );
}
