import { readLastSave } from "../../api/last-save";
import { useResource } from "../../api/resource";
import { SelectField, TextField } from "../../parts/field";
import { FormDialog } from "../../parts/form-dialog";
import { RecordDisputes, useRecordDraft } from "../../parts/record-draft";
import { text as common } from "../../text/en/common";
import { disputeText } from "../../text/en/disputes";
import { peopleText as text } from "../../text/en/people";
import { changePerson, nameOf, type Person, readDepartments, readPerson } from "./state";

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
  const draft = useRecordDraft(valuesOf(person));
  const { typed, change } = draft;
  const offered = (departments.data.value ?? []).filter(
    ({ id, isActive }) => isActive || id === person.department?.id,
  );
  return (
    <FormDialog
      title={text.editOf(nameOf(person))}
      verb={common.save}
      labels={LABELS}
      refusal={draft.disputed.length > 0 ? disputeText.decideFirst : null}
      onSubmit={() =>
        draft.save({
          read: async () => valuesOf(await readPerson(person.id)),
          write: async (changes) => {
            await changePerson(person, changes);
            await onSaved();
          },
          readLastSave: () => readLastSave("user-changed", person.id),
        })
      }
      onClose={onClose}
    >
      {(errors) => (
        <>
          <RecordDisputes
            draft={draft}
            labels={LABELS}
            inWords={(key, value) =>
              key === "departmentId" ? offered.find(({ id }) => id === value)?.name : undefined
            }
          />
          {TEXTS.map((key) => (
            <TextField
              key={key}
              name={key}
              label={LABELS[key]}
              error={errors.get(key)}
              required={key !== "institution"}
              value={typed[key]}
              onInput={(value) => change({ [key]: value })}
            />
          ))}
          <SelectField
            name="departmentId"
            label={text.department}
            error={errors.get("departmentId")}
            none={text.noDepartment}
            value={typed.departmentId}
            choices={offered.map(({ id, name }) => ({ value: id, label: name }))}
            onInput={(departmentId) => change({ departmentId })}
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
