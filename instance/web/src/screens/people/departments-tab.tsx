import { useState } from "preact/hooks";
import { useList } from "../../api/resource";
import { Button } from "../../parts/button";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { type Column, Table } from "../../parts/table";
import { demoRefusal } from "../../session";
import { peopleText as text } from "../../text/en/people";
import { DepartmentDialog } from "./department-dialog";
import { type Department, deleteDepartment, readDepartments } from "./state";

export function DepartmentsTab() {
  const departments = useList(readDepartments, []);
  const [edited, setEdited] = useState<Department | "new" | null>(null);
  const [asked, setAsked] = useState<Department | null>(null);
  const add = (
    <Button icon="add" refusal={demoRefusal.value} onClick={() => setEdited("new")}>
      {text.newDepartment}
    </Button>
  );
  return (
    <div class="stack">
      <Loaded of={departments}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={text.noDepartments} action={add}>
              {text.noDepartmentsWhy}
            </Empty>
          ) : (
            <>
              <div>{add}</div>
              <Table
                label={text.departments}
                columns={columnsOf(setEdited, setAsked)}
                rows={found}
                rowId={({ id }) => id}
              />
            </>
          )
        }
      </Loaded>
      {edited && (
        <DepartmentDialog
          department={edited === "new" ? null : edited}
          onSaved={departments.reload}
          onClose={() => setEdited(null)}
        />
      )}
      {asked && (
        <ConfirmDialog
          title={text.deleteDepartmentOf(asked.name)}
          verb={text.deleteDepartment}
          isDanger
          onConfirm={async () => {
            await deleteDepartment(asked);
            await departments.reload();
          }}
          onClose={() => setAsked(null)}
        >
          {text.deleteDepartmentWhat}
        </ConfirmDialog>
      )}
    </div>
  );
}

function columnsOf(
  edit: (department: Department) => void,
  ask: (department: Department) => void,
): Column<Department>[] {
  return [
    { id: "name", label: text.name, cell: ({ name }) => <span class="roomy">{name}</span> },
    {
      id: "description",
      label: text.description,
      cell: ({ description }) => description && <span title={description}>{description}</span>,
      isLong: true,
      isMinor: true,
    },
    { id: "people", label: text.title, cell: ({ userCount }) => text.people(userCount), isMinor: true },
    {
      id: "offered",
      label: text.inUse,
      cell: ({ isActive }) => (isActive ? text.offered : text.notOffered),
      isMinor: true,
    },
    {
      id: "edit",
      label: text.edit,
      cell: (department) => (
        <span class="row-actions">
          <Button
            look="quiet"
            icon="edit"
            label={text.editOf(department.name)}
            refusal={demoRefusal.value}
            onClick={() => edit(department)}
          />
          <Button
            look="quiet"
            icon="trash"
            label={text.deleteDepartmentOf(department.name)}
            refusal={demoRefusal.value ?? (department.userCount > 0 ? text.hasPeople : null)}
            onClick={() => ask(department)}
          />
        </span>
      ),
    },
  ];
}
