import "../../style/screens/orders.css";
import { useLocation } from "preact-iso";
import { useList } from "../../api/resource";
import { addressWith } from "../../parts/address";
import { Button } from "../../parts/button";
import { useColumns } from "../../parts/column-choice";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { MoreRows } from "../../parts/more-rows";
import { PageHead } from "../../parts/page-head";
import { SaveList } from "../../parts/saved-list";
import { Table } from "../../parts/table";
import { readPeople } from "../../people/choices";
import { auditText as text } from "../../text/en/audit";
import { text as common } from "../../text/en/common";
import { Chain } from "./chain";
import { columnsOf, objectNames } from "./columns";
import { EventDrawer } from "./drawer";
import { Filters } from "./filters";
import { queryOf, useAudit } from "./state";

export function Screen() {
  const { path, query: words, route } = useLocation();
  const query = queryOf(words);
  const pages = useAudit(query);
  const change = (changes: Record<string, string | null>): void =>
    route(addressWith(path, words, changes), true);
  const clear = (): void => route(path, true);
  const people = useList((signal) => readPeople(signal), []).data.value ?? [];
  const objectOf = objectNames(people);
  const columns = useColumns("audit", columnsOf(path, words, objectOf));
  const opened = pages.rows.find(({ id }) => id === words.row);
  return (
    <div class="stack">
      <PageHead
        title={text.title}
        actions={<SaveList file="audit.csv" columns={columns.shown} rows={pages.rows} all={pages} />}
      />
      <Chain />
      <Filters query={query} people={people} onChange={change} onClear={clear}>
        {columns.menu}
      </Filters>
      <Loaded of={pages.list}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Nothing isFiltered={Object.keys(query).length > 0} onClear={clear} />
          ) : (
            <div class="stack-tight">
              <Table label={text.events} columns={columns.shown} rows={rows} rowId={({ id }) => id} />
              <MoreRows of={pages} words={text.more} />
            </div>
          )
        }
      </Loaded>
      {opened && (
        <EventDrawer
          key={opened.id}
          event={opened}
          object={objectOf(opened)}
          onFilter={(changes) => change({ ...changes, row: null })}
          onClose={() => route(addressWith(path, words, { row: null }), true)}
        />
      )}
    </div>
  );
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (isFiltered) {
    return <Empty title={text.noneFound} action={<Button onClick={onClear}>{common.clearAll}</Button>} />;
  }
  return <Empty title={text.none}>{text.noneWhy}</Empty>;
}
