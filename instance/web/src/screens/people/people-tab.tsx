import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { type ActiveFilter, ActiveFilters } from "../../parts/active-filters";
import { addressWith } from "../../parts/address";
import { Button } from "../../parts/button";
import { FilterChip } from "../../parts/chip";
import { useColumns } from "../../parts/column-choice";
import { Empty } from "../../parts/empty";
import { FilterMenu } from "../../parts/filter-menu";
import { Loaded } from "../../parts/loading";
import { SaveList } from "../../parts/saved-list";
import { SearchField } from "../../parts/search-field";
import { Table } from "../../parts/table";
import { text as common } from "../../text/en/common";
import { peopleText as text } from "../../text/en/people";
import { columnsOf } from "./columns";
import { PersonDrawer } from "./person-drawer";
import { PAGE, type Query, queryOf, ROLES, usePeople } from "./state";

export function PeopleTab() {
  const { path, query: words, route } = useLocation();
  const [pages, setPages] = useState(1);
  const query = queryOf(words);
  const list = usePeople(query, pages);
  const change = (changes: Record<string, string | null>): void => {
    setPages(1);
    route(addressWith(path, words, changes), true);
  };
  const clear = (): void => change({ q: null, role: null, waiting: null });
  const columns = useColumns("people", columnsOf(path, words));
  const people = list.data.value?.users ?? [];
  const opened = people.find(({ id }) => id === words.person);
  return (
    <div class="stack">
      <Filters query={query} onChange={change} onClear={clear}>
        {columns.menu}
        <SaveList file="people.csv" columns={columns.shown} rows={people} />
      </Filters>
      <Loaded of={list}>
        {({ users, total }) =>
          users.length === 0 ? (
            <Empty title={text.noneFound} action={<Button onClick={clear}>{common.clearAll}</Button>} />
          ) : (
            <div class="stack-tight">
              <Table label={text.title} columns={columns.shown} rows={users} rowId={({ id }) => id} />
              <div class="line muted">
                <span role="status">{common.rows(users.length, total)}</span>
                {users.length < total && (
                  <Button onClick={() => setPages(pages + 1)}>
                    {text.more(Math.min(PAGE, total - users.length))}
                  </Button>
                )}
              </div>
            </div>
          )
        }
      </Loaded>
      {opened && (
        <PersonDrawer
          key={opened.id}
          person={opened}
          onChange={list.reload}
          onClose={() => route(addressWith(path, words, { person: null }), true)}
        />
      )}
    </div>
  );
}

interface FilterProps {
  query: Query;
  onChange: (changes: Record<string, string | null>) => void;
  onClear: () => void;
  children: preact.ComponentChildren;
}

function Filters({ query, onChange, onClear, children }: FilterProps) {
  const role = ROLES.find((known) => known === query.role);
  const active: ActiveFilter[] = role
    ? [
        {
          id: "role",
          words: text.isSetTo(text.role, text.roles[role]),
          onRemove: () => onChange({ role: null }),
        },
      ]
    : [];
  return (
    <search class="stack-tight">
      <div class="line list-bar">
        <SearchField
          name="q"
          label={text.search}
          placeholder={text.searchHint}
          words={query.q ?? ""}
          onSearch={(q) => onChange({ q })}
        />
        <FilterMenu
          label={text.role}
          any={text.anyRole}
          value={role}
          choices={ROLES.map((value) => ({ value, label: text.roles[value] }))}
          onChoose={(chosen) => onChange({ role: chosen })}
        />
        <FilterChip
          isOn={query.pendingApproval !== undefined}
          onToggle={() => onChange({ waiting: query.pendingApproval ? null : "yes" })}
        >
          {text.waitsForApproval}
        </FilterChip>
        <div class="list-tools">{children}</div>
      </div>
      <ActiveFilters filters={active} onClear={onClear} />
    </search>
  );
}
