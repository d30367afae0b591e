import { useLocation } from "preact-iso";
import { useList } from "../../api/resource";
import { addressWith } from "../../parts/address";
import { Button } from "../../parts/button";
import { Chip } from "../../parts/chip";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { SearchField } from "../../parts/search-field";
import { type Column, Table } from "../../parts/table";
import { text as common } from "../../text/en/common";
import { pipelineText as text } from "../../text/en/pipelines";
import { addressOf, type Entry, isFound, readStore, type Store } from "./state";
import { StoreProblem } from "./store-problem";

/** What the registry offers. */
export function StoreTab() {
  const { path, query, route } = useLocation();
  const store = useList(readStore, []);
  const words = query.q ?? "";
  const search = (q: string): void => route(addressWith(path, query, { q }), true);
  return (
    <div class="stack">
      <search>
        <SearchField
          name="q"
          label={text.search}
          placeholder={text.searchHint}
          words={words}
          onSearch={search}
        />
      </search>
      <Loaded of={store}>
        {(found) => (
          <>
            <StoreProblem of={store} store={found} />
            {found.registry.error === null && (
              <Offered store={found} words={words} onClear={() => search("")} />
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

function Offered({ store, words, onClear }: { store: Store; words: string; onClear: () => void }) {
  if (store.pipelines.length === 0) return <Empty title={text.noneOffered} />;
  const found = store.pipelines.filter((entry) => isFound(entry, words));
  if (found.length === 0) {
    return <Empty title={text.noneFound} action={<Button onClick={onClear}>{text.clear}</Button>} />;
  }
  return (
    <div class="stack-tight">
      <Table label={text.tabs.store} columns={COLUMNS} rows={found} rowId={({ id }) => id} />
      <p class="muted" role="status">
        {common.rows(found.length, store.pipelines.length)}
      </p>
    </div>
  );
}

const COLUMNS: readonly Column<Entry>[] = [
  {
    id: "name",
    label: text.pipeline,
    cell: ({ id, offer }) => (
      <a class="roomy" href={addressOf(id)}>
        {offer.name}
      </a>
    ),
  },
  {
    id: "purpose",
    label: text.purpose,
    cell: ({ offer }) => <span title={offer.summary}>{offer.summary}</span>,
    isLong: true,
    isMinor: true,
  },
  {
    id: "newest",
    label: text.newest,
    cell: ({ offer }) => <span class="short">{offer.latestVersion}</span>,
  },
  { id: "here", label: text.here, cell: (entry) => <Here entry={entry} /> },
];

function Here({ entry }: { entry: Entry }) {
  const { installedVersion, updateAvailable, installable, reason } = entry;
  if (installedVersion !== null) {
    return updateAvailable ? (
      <Chip tone="wait">{text.update(installedVersion)}</Chip>
    ) : (
      <Chip tone="ok">{installedVersion}</Chip>
    );
  }
  if (!installable) return <span class="muted">{reason}</span>;
  return <span class="muted">{text.notHere}</span>;
}
