import "../../style/screens/orders.css";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { type ActiveFilter, ActiveFilters } from "../../parts/active-filters";
import { addressWith } from "../../parts/address";
import { Button } from "../../parts/button";
import { useColumns } from "../../parts/column-choice";
import { Empty } from "../../parts/empty";
import { FilterMenu } from "../../parts/filter-menu";
import { Loaded } from "../../parts/loading";
import { PageHead } from "../../parts/page-head";
import { SaveList } from "../../parts/saved-list";
import { SearchField } from "../../parts/search-field";
import { Table } from "../../parts/table";
import { auditText as text } from "../../text/en/audit";
import { text as common } from "../../text/en/common";
import { ACTIONS } from "./actions";
import { Chain } from "./chain";
import { columnsOf } from "./columns";
import { EventDrawer } from "./drawer";
import { PAGE, type Query, queryOf, useAudit } from "./state";

export function Screen() {
  const { path, query: words, route } = useLocation();
  const [pages, setPages] = useState(1);
  const query = queryOf(words);
  const list = useAudit(query, pages);
  const change = (changes: Record<string, string | null>): void => {
    setPages(1);
    route(addressWith(path, words, changes), true);
  };
  const clear = (): void => {
    setPages(1);
    route(path, true);
  };
  const columns = useColumns("audit", columnsOf(path, words));
  const found = list.data.value?.events ?? [];
  const opened = found.find(({ id }) => id === words.row);
  return (
    <div class="stack">
      <PageHead
        title={text.title}
        actions={<SaveList file="audit.csv" columns={columns.shown} rows={found} />}
      />
      <Chain />
      <Filters query={query} onChange={change} onClear={clear}>
        {columns.menu}
      </Filters>
      <Loaded of={list}>
        {({ events, total }) =>
          events.length === 0 ? (
            <Nothing isFiltered={Object.keys(query).length > 0} onClear={clear} />
          ) : (
            <div class="stack-tight">
              <Table label={text.events} columns={columns.shown} rows={events} rowId={({ id }) => id} />
              <div class="line muted">
                <span role="status">{common.rows(events.length, total)}</span>
                {events.length < total && (
                  <Button onClick={() => setPages(pages + 1)}>
                    {text.more(Math.min(PAGE, total - events.length))}
                  </Button>
                )}
              </div>
            </div>
          )
        }
      </Loaded>
      {opened && (
        <EventDrawer
          key={opened.id}
          event={opened}
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

interface FilterProps {
  query: Query;
  onChange: (changes: Record<string, string | null>) => void;
  onClear: () => void;
  children: preact.ComponentChildren;
}

function Filters({ query, onChange, onClear, children }: FilterProps) {
  const { action } = query;
  const active: ActiveFilter[] = action
    ? [
        {
          id: "action",
          words: text.isSetTo(text.action, text.actionOf(action)),
          onRemove: () => onChange({ action: null }),
        },
      ]
    : [];
  return (
    <search class="stack-tight">
      <div class="line list-bar">
        <SearchField
          name="object"
          label={text.search}
          placeholder={text.searchHint}
          words={query.objectId ?? ""}
          onSearch={(object) => onChange({ object })}
        />
        <FilterMenu
          label={text.action}
          any={text.anyAction}
          value={action}
          choices={ACTIONS.map((value) => ({ value, label: text.actionOf(value) }))}
          onChoose={(chosen) => onChange({ action: chosen })}
        />
        <div class="list-tools">{children}</div>
      </div>
      <ActiveFilters filters={active} onClear={onClear} />
    </search>
  );
}
