import { useState } from "preact/hooks";
import { useResource } from "../../api/resource";
import { SelectField, TextField } from "../../parts/field";
import { FormDialog } from "../../parts/form-dialog";
import { text as common } from "../../text/en/common";
import { peopleText as text } from "../../text/en/people";
import { changePerson, changesOf, nameOf, type Person, readDepartments } from "./state";

const LABELS = {
  firstName: text.firstName,
  lastName: text.lastName,
  institution: text.institution,
  departmentId: text.department,
} as const;
const TEXTS = ["firstName", "lastName", "institution"] as const;

interface Props {
  person: Person;
  onSaved: () => Promise<void>;
  onClose: () => void;
}

/** What somebody is called and belongs to. A department that nobody may choose stays only where it is. */
export function PersonDialog({ person, onSaved, onClose }: Props) {
  const departments = useResource(readDepartments, []);
  const [before] = useState(() => valuesOf(person));
  const [typed, setTyped] = useState(before);
  const offered = (departments.data.value ?? []).filter(
    ({ id, isActive }) => isActive || id === person.department?.id,
  );
  return (
    <FormDialog
      title={text.editOf(nameOf(person))}
      verb={common.save}
      labels={LABELS}
      onSubmit={async () => {
        await changePerson(person, changesOf(before, typed));
        await onSaved();
      }}
      onClose={onClose}
    >
      {(errors) => (
        <>
          {TEXTS.map((key) => (
            <TextField
              key={key}
              name={key}
              label={LABELS[key]}
              error={errors.get(key)}
              required={key !== "institution"}
              value={typed[key]}
              onInput={(value) => setTyped({ ...typed, [key]: value })}
            />
          ))}
          <SelectField
            name="departmentId"
            label={text.department}
            error={errors.get("departmentId")}
            none={text.noDepartment}
            value={typed.departmentId}
            choices={offered.map(({ id, name }) => ({ value: id, label: name }))}
            onInput={(departmentId) => setTyped({ ...typed, departmentId })}
          />
        </>
      )}
    </FormDialog>
  );
}

const valuesOf = ({ firstName, lastName, institution, department }: Person) => ({
  firstName,
  lastName,
  institution: institution ?? "",
  departmentId: department?.id ?? "",
});
