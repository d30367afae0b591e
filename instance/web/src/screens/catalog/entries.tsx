import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useAction } from "../../api/resource";
import { type ActiveFilter, ActiveFilters } from "../../parts/active-filters";
import { addressWith } from "../../parts/address";
import { Button } from "../../parts/button";
import { Empty } from "../../parts/empty";
import { FilterMenu } from "../../parts/filter-menu";
import { ProblemNotice } from "../../parts/problem";
import { SearchField } from "../../parts/search-field";
import { Table } from "../../parts/table";
import { Tabs } from "../../parts/tabs";
import { demoRefusal } from "../../session";
import { catalogText as text } from "../../text/en/catalog";
import { text as common } from "../../text/en/common";
import { columnsOf, type Row, toggle } from "./columns";
import { EditDialog } from "./edit-dialog";
import { EntryDrawer } from "./entry-drawer";
import { COLLECTIONS, type Collection, type Item, isFound, type Origin } from "./items";
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
        <Narrowed query={query} onChange={change}>
          <Button icon="add" refusal={demoRefusal.value} onClick={() => setAdding(true)}>
            {text.add}
          </Button>
        </Narrowed>
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

type Query = Readonly<Record<string, string>>;
type OnNarrow = (changes: Record<string, string | null>) => void;
const NOTHING = { q: null, from: null, offered: null };
const ORIGINS = ["registry", "changed", "own"] as const satisfies readonly Origin[];

interface NarrowedProps {
  query: Query;
  onChange: OnNarrow;
  children: preact.ComponentChildren;
}

function Narrowed({ query, onChange, children }: NarrowedProps) {
  const origin = ORIGINS.find((one) => one === query.from);
  const offers = { yes: text.offered, no: text.notOffered };
  const offer = query.offered === "yes" || query.offered === "no" ? query.offered : undefined;
  const active: ActiveFilter[] = [
    ...(origin
      ? [{ id: "from", words: text.origins[origin], onRemove: () => onChange({ from: null }) }]
      : []),
    ...(offer ? [{ id: "offered", words: offers[offer], onRemove: () => onChange({ offered: null }) }] : []),
  ];
  return (
    <search class="stack-tight">
      <div class="line">
        <SearchField
          name="q"
          label={text.search}
          placeholder={text.searchHint}
          words={query.q ?? ""}
          onSearch={(q) => onChange({ q })}
        />
        <FilterMenu
          label={text.from}
          any={text.anyFrom}
          value={origin}
          choices={ORIGINS.map((value) => ({ value, label: text.origins[value] }))}
          onChoose={(value) => onChange({ from: value })}
        />
        <FilterMenu
          label={text.offered}
          any={text.anyOffer}
          value={offer}
          choices={Object.entries(offers).map(([value, label]) => ({ value, label }))}
          onChoose={(value) => onChange({ offered: value })}
        />
        {children}
      </div>
      <ActiveFilters filters={active} onClear={() => onChange(NOTHING)} />
    </search>
  );
}

interface ListProps {
  collection: Collection;
  all: readonly Row[];
  query: Query;
  onNarrow: OnNarrow;
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
