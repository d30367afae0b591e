import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useAction } from "../../api/resource";
import { addressWith } from "../../parts/address";
import { Button } from "../../parts/button";
import { Empty } from "../../parts/empty";
import { ProblemNotice } from "../../parts/problem";
import { Table } from "../../parts/table";
import { Tabs } from "../../parts/tabs";
import { demoRefusal } from "../../session";
import { catalogText as text } from "../../text/en/catalog";
import { text as common } from "../../text/en/common";
import { columnsOf, type Row, toggle } from "./columns";
import { EditDialog } from "./edit-dialog";
import { EntryDrawer } from "./entry-drawer";
import { Filters, NOTHING, type OnFilter, type Query } from "./filters";
import { COLLECTIONS, type Collection, type Item, isFound } from "./items";
import type { Catalog } from "./state";

interface Props {
  catalog: Catalog;
  /** Something was saved, which is said in these words. */
  onChange: (words: string) => Promise<void>;
}

/** The entries of each kind, searched and narrowed. */
export function Entries({ catalog, onChange }: Props) {
  const { path, query, route } = useLocation();
  const [isAdding, setAdding] = useState(false);
  const collection = COLLECTIONS.find((one) => one === query.kind) ?? "technologies";
  const change = (changes: Record<string, string | null>): void =>
    route(addressWith(path, query, changes), true);
  const all = catalog.items[collection].map((item): Row => {
    const standing = catalog.standingOf(collection, item.id);
    return { item, standing };
  });
  const opened = all.find(({ item }) => item.id === query.entry);
  const tabs = COLLECTIONS.map((id) => ({
    id,
    label: text.kinds[id],
    href: addressWith(path, query, { kind: id === "technologies" ? null : id, entry: null }),
    count: catalog.items[id].length,
  }));
  return (
    <Tabs label={text.kindsOf} tabs={tabs} current={collection}>
      <div class="stack">
        <Filters query={query} onChange={change}>
          <Button icon="add" refusal={demoRefusal.value} onClick={() => setAdding(true)}>
            {text.add}
          </Button>
        </Filters>
        <List collection={collection} all={all} query={query} onNarrow={change} onChange={onChange} />
      </div>
      {opened && (
        <EntryDrawer
          key={opened.item.id}
          catalog={catalog}
          collection={collection}
          row={opened}
          onChange={onChange}
          onClose={() => change({ entry: null })}
        />
      )}
      {isAdding && (
        <EditDialog
          catalog={catalog}
          collection={collection}
          item={null}
          onSaved={onChange}
          onClose={() => setAdding(false)}
        />
      )}
    </Tabs>
  );
}

interface ListProps {
  collection: Collection;
  all: readonly Row[];
  query: Query;
  onNarrow: OnFilter;
  onChange: (words: string) => Promise<void>;
}

function List({ collection, all, query, onNarrow, onChange }: ListProps) {
  const { path } = useLocation();
  const toggling = useAction(async (item: Item) => onChange(await toggle(collection, item)));
  const problem = toggling.problem.value;
  if (all.length === 0) return <Empty title={text.noneOfKind} />;
  const rows = all.filter(
    ({ item, standing }) =>
      isFound(item, query.q ?? "") &&
      (!query.from || standing?.origin === query.from) &&
      (!query.offered || (standing?.selectable === true) === (query.offered === "yes")),
  );
  if (rows.length === 0) {
    return (
      <Empty
        title={text.noneFound}
        action={<Button onClick={() => onNarrow(NOTHING)}>{common.clearAll}</Button>}
      />
    );
  }
  const columns = columnsOf(collection, (entry) => addressWith(path, query, { entry }), toggling);
  return (
    <div class="stack-tight">
      {problem && <ProblemNotice problem={problem} onTryAgain={() => void onChange("")} />}
      <Table label={text.kinds[collection]} columns={columns} rows={rows} rowId={({ item }) => item.id} />
      <p class="muted" role="status">
        {common.rows(rows.length, all.length)}
      </p>
    </div>
  );
}
