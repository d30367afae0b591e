import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useList } from "../../api/resource";
import { addressWith } from "../../parts/address";
import { Button } from "../../parts/button";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { SearchField } from "../../parts/search-field";
import { type Column, Table } from "../../parts/table";
import { demoRefusal } from "../../session";
import { text as common } from "../../text/en/common";
import { peopleText as text } from "../../text/en/people";
import { DepartmentDialog } from "./department-dialog";
import { type Department, deleteDepartment, readDepartments } from "./state";

export function DepartmentsTab() {
  const departments = useList(readDepartments, []);
  const { path, query: words, route } = useLocation();
  const search = (q: string): void => route(addressWith(path, words, { q }), true);
  const wanted = (words.q ?? "").toLowerCase();
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
              <search class="line list-bar">
                <SearchField
                  name="q"
                  label={text.searchDepartments}
                  words={words.q ?? ""}
                  onSearch={search}
                />
                <div class="list-tools">{add}</div>
              </search>
              <Shown
                departments={found.filter(({ name, description }) =>
                  `${name} ${description ?? ""}`.toLowerCase().includes(wanted),
                )}
                onEdit={setEdited}
                onAsk={setAsked}
                onClear={() => search("")}
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

interface ShownProps {
  departments: readonly Department[];
  onEdit: (department: Department) => void;
  onAsk: (department: Department) => void;
  onClear: () => void;
}

/** Those that fit the search; each leads to its people. */
function Shown({ departments, onEdit, onAsk, onClear }: ShownProps) {
  if (departments.length === 0)
    return (
      <Empty title={text.noDepartmentFits} action={<Button onClick={onClear}>{common.clearAll}</Button>} />
    );
  return (
    <Table
      label={text.departments}
      columns={columnsOf(onEdit, onAsk)}
      rows={departments}
      rowId={({ id }) => id}
    />
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
    {
      id: "people",
      label: text.title,
      cell: ({ id, userCount }) => (
        <a class="short" href={`/facility/people?department=${id}`}>
          {text.people(userCount)}
        </a>
      ),
    },
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
