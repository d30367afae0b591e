import type { ComponentChildren } from "preact";
import { useList } from "../../api/resource";
import type { Filter } from "../../parts/active-filters";
import { FilterMenu } from "../../parts/filter-menu";
import { ListFilters } from "../../parts/list-filters";
import { PickMenu } from "../../parts/pick-menu";
import { peopleText as text } from "../../text/en/people";
import { type Query, ROLES, readDepartments, STATES } from "./state";

interface Props {
  query: Query;
  onChange: (changes: Record<string, string | null>) => void;
  onClear: () => void;
  /** What is done with the list. */
  children: ComponentChildren;
}

/** What narrows the list of people; all of it is part of the address. */
export function Filters({ query, onChange, onClear, children }: Props) {
  const { q, role, state, department } = query;
  const departments = useList(readDepartments, []).data.value ?? [];
  const filters: Filter[] = [
    [["role"], text.role, role && text.roles[role]],
    [["state"], text.state, state && text.states[state]],
    [["department"], text.department, department && (nameIn(departments, department) ?? text.oneDepartment)],
  ];
  return (
    <ListFilters
      search={{
        name: "q",
        label: text.search,
        placeholder: text.searchHint,
        words: q ?? "",
        onSearch: (typed) => onChange({ q: typed }),
      }}
      filters={filters}
      onChange={onChange}
      onClear={onClear}
      tools={children}
    >
      <FilterMenu
        label={text.role}
        any={text.anyRole}
        value={role}
        choices={ROLES.map((value) => ({ value, label: text.roles[value] }))}
        onChoose={(chosen) => onChange({ role: chosen })}
      />
      <FilterMenu
        label={text.state}
        any={text.anyState}
        value={state}
        choices={STATES.map((value) => ({ value, label: text.states[value] }))}
        onChoose={(chosen) => onChange({ state: chosen })}
      />
      {departments.length > 0 && (
        <PickMenu
          label={text.department}
          any={text.anyDepartment}
          find={text.findDepartment}
          value={department}
          groups={[{ choices: departments.map(({ id, name }) => ({ value: id, label: name })) }]}
          onChoose={(chosen) => onChange({ department: chosen })}
        />
      )}
    </ListFilters>
  );
}

const nameIn = (departments: readonly { id: string; name: string }[], id: string): string | undefined =>
  departments.find((department) => department.id === id)?.name;
