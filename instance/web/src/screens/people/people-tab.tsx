import { useLocation } from "preact-iso";
import { addressWith } from "../../parts/address";
import { Button } from "../../parts/button";
import { useColumns } from "../../parts/column-choice";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { MoreRows } from "../../parts/more-rows";
import { SaveList } from "../../parts/saved-list";
import { Table } from "../../parts/table";
import { text as common } from "../../text/en/common";
import { peopleText as text } from "../../text/en/people";
import { columnsOf } from "./columns";
import { Filters } from "./filters";
import { PersonDrawer } from "./person-drawer";
import { queryOf, usePeople } from "./state";

export function PeopleTab() {
  const { path, query: words, route } = useLocation();
  const query = queryOf(words);
  const pages = usePeople(query);
  const change = (changes: Record<string, string | null>): void =>
    route(addressWith(path, words, changes), true);
  const clear = (): void => route(addressWith(path, query.sort ? { sort: query.sort } : {}), true);
  const columns = useColumns("people", columnsOf(path, words));
  return (
    <div class="stack">
      <Filters query={query} onChange={change} onClear={clear}>
        {columns.menu}
        <SaveList file="people.csv" columns={columns.shown} rows={pages.rows} all={pages} />
      </Filters>
      <Loaded of={pages.list}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title={text.noneFound} action={<Button onClick={clear}>{common.clearAll}</Button>} />
          ) : (
            <div class="stack-tight">
              <Table
                label={text.title}
                columns={columns.shown}
                rows={rows}
                rowId={({ id }) => id}
                sort={query.sort ?? "-created"}
                onSort={(sort) => change({ sort })}
              />
              <MoreRows of={pages} words={text.more} />
            </div>
          )
        }
      </Loaded>
      {words.person && (
        <PersonDrawer
          key={words.person}
          id={words.person}
          onChange={pages.list.reload}
          onClose={() => change({ person: null })}
        />
      )}
    </div>
  );
}
