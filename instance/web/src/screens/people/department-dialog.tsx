import { readLastSave } from "../../api/last-save";
import { CheckField } from "../../parts/choice-fields";
import { TextArea, TextField } from "../../parts/field";
import { FormDialog } from "../../parts/form-dialog";
import { RecordDisputes, useRecordDraft } from "../../parts/record-draft";
import { text as common } from "../../text/en/common";
import { disputeText } from "../../text/en/disputes";
import { peopleText as text } from "../../text/en/people";
import {
  changeDepartment,
  type Department,
  departmentValues,
  makeDepartment,
  readDepartments,
} from "./state";

const LABELS = { name: text.name, description: text.description, isActive: text.isOffered };

interface Props {
  /** Null for a new one. */
  department: Department | null;
  onSaved: () => Promise<void>;
  onClose: () => void;
}

export function DepartmentDialog({ department, onSaved, onClose }: Props) {
  const draft = useRecordDraft(departmentValues(department));
  const { typed, change } = draft;
  const save = async (): Promise<unknown> => {
    if (department === null) {
      await makeDepartment(typed);
      return onSaved();
    }
    const { id } = department;
    return draft.save({
      read: async () =>
        departmentValues((await readDepartments()).find((one) => one.id === id) ?? department),
      write: async (changes) => {
        await changeDepartment(department, changes);
        await onSaved();
      },
      readLastSave: () => readLastSave("department-saved", id),
    });
  };
  return (
    <FormDialog
      title={department === null ? text.newDepartment : text.editOf(department.name)}
      verb={common.save}
      labels={LABELS}
      refusal={draft.disputed.length > 0 ? disputeText.decideFirst : null}
      onSubmit={save}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <RecordDisputes
            draft={draft}
            labels={LABELS}
            inWords={(_key, value) =>
              typeof value === "boolean" ? (value ? text.offered : text.notOffered) : undefined
            }
          />
          <TextField
            name="name"
            label={text.name}
            error={errors.get("name")}
            required
            value={typed.name}
            onInput={(name) => change({ name })}
          />
          <TextArea
            name="description"
            label={text.description}
            error={errors.get("description")}
            rows={3}
            value={typed.description}
            onInput={(description) => change({ description })}
          />
          <CheckField
            name="isActive"
            label={text.isOffered}
            isChecked={typed.isActive}
            onChange={(isActive) => change({ isActive })}
          />
        </>
      )}
    </FormDialog>
  );
}
