import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, given } from "../api/client";
import { type FieldProps, SelectField } from "../parts/field";
import { text } from "../text/en/new-order";

export interface Checklist {
  readonly accession: string;
  readonly name: string;
}

export async function readChecklists(): Promise<readonly Checklist[]> {
  const answer = await given(api.GET("/api/mixs-checklists"));
  return "checklists" in answer ? answer.checklists : [];
}

interface Props extends FieldProps {
  /** By accession. */
  offered: readonly string[];
  value: string;
  onInput: (accession: string) => void;
}

/** The checklists that the form offers. Their names are read when somebody gets here. */
export function ChecklistField({ offered, value, onInput, ...shared }: Props) {
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
