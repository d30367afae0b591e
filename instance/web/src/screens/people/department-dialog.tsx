import { useState } from "preact/hooks";
import { fieldErrors } from "../../api/problem";
import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { CheckField } from "../../parts/choice-fields";
import { Dialog } from "../../parts/dialog";
import { ErrorSummary } from "../../parts/error-summary";
import { TextArea, TextField } from "../../parts/field";
import { text as common } from "../../text/en/common";
import { peopleText as text } from "../../text/en/people";
import { type Department, saveDepartment } from "./state";

const LABELS = { name: text.name, description: text.description };

interface Props {
  /** Null for a new one. */
  department: Department | null;
  onSaved: () => Promise<void>;
  onClose: () => void;
}

export function DepartmentDialog({ department, onSaved, onClose }: Props) {
  const [typed, setTyped] = useState({
    name: department?.name ?? "",
    description: department?.description ?? "",
    isActive: department?.isActive ?? true,
  });
  const saving = useAction(async () => {
    await saveDepartment(department, typed);
    await onSaved();
    onClose();
  });
  const errors = fieldErrors(saving.problem.value);
  return (
    <Dialog
      title={department === null ? text.newDepartment : text.editOf(department.name)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="main" type="submit" form="department" isBusy={saving.isRunning.value}>
            {common.save}
          </Button>
        </>
      }
    >
      <form
        id="department"
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void saving.run();
        }}
      >
        <ErrorSummary problem={saving.problem.value} labels={LABELS} />
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
      </form>
    </Dialog>
  );
}
