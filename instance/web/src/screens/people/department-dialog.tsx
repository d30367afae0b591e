import { useState } from "preact/hooks";
import { CheckField } from "../../parts/choice-fields";
import { TextArea, TextField } from "../../parts/field";
import { FormDialog } from "../../parts/form-dialog";
import { text as common } from "../../text/en/common";
import { peopleText as text } from "../../text/en/people";
import { changeDepartment, changesOf, type Department, type DepartmentSave, makeDepartment } from "./state";

const LABELS = { name: text.name, description: text.description };

interface Props {
  /** Null for a new one. */
  department: Department | null;
  onSaved: () => Promise<void>;
  onClose: () => void;
}

export function DepartmentDialog({ department, onSaved, onClose }: Props) {
  const [before] = useState<DepartmentSave>(() => ({
    name: department?.name ?? "",
    description: department?.description ?? "",
    isActive: department?.isActive ?? true,
  }));
  const [typed, setTyped] = useState(before);
  return (
    <FormDialog
      title={department === null ? text.newDepartment : text.editOf(department.name)}
      verb={common.save}
      labels={LABELS}
      onSubmit={async () => {
        if (department === null) await makeDepartment(typed);
        else await changeDepartment(department, changesOf(before, typed));
        await onSaved();
      }}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <TextField
            name="name"
            label={text.name}
            error={errors.get("name")}
            required
            value={typed.name}
            onInput={(name) => setTyped({ ...typed, name })}
          />
          <TextArea
            name="description"
            label={text.description}
            error={errors.get("description")}
            rows={3}
            value={typed.description}
            onInput={(description) => setTyped({ ...typed, description })}
          />
          <CheckField
            name="isActive"
            label={text.isOffered}
            isChecked={typed.isActive}
            onChange={(isActive) => setTyped({ ...typed, isActive })}
          />
        </>
      )}
    </FormDialog>
  );
}
