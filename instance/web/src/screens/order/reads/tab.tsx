import "../../../style/screens/reads.css";
import { useLocation } from "preact-iso";
import { useLive } from "../../../api/live";
import { useList, useResource } from "../../../api/resource";
import { addressWith } from "../../../parts/address";
import { Empty } from "../../../parts/empty";
import { Loaded } from "../../../parts/loading";
import { Pager } from "../../../parts/pager";
import { PLATE_STATES, TILES_SHOWN } from "../../../parts/plate-tiles";
import { SaveList } from "../../../parts/saved-list";
import { SearchField } from "../../../parts/search-field";
import { Table } from "../../../parts/table";
import { demoRefusal } from "../../../session";
import { readsText as text } from "../../../text/en/reads";
import { AddReads } from "../../../uploads/add-reads";
import { readSamples } from "../state";
import type { TabProps } from "../tabs";
import { COLUMNS } from "./columns";
import { PlateCard } from "./plate-card";
import { PAGE_SIZE, type ReadsQuery, readPage } from "./state";

/** What an address asks of the reads; a word that is none is left out. */
function useReadsQuery(): ReadsQuery {
  const { query } = useLocation();
  const state = PLATE_STATES.find((known) => known === query.state);
  const page = Number(query.page);
  return {
    ...(query.q && { q: query.q }),
    ...(state && { state }),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** The reads of an order by sample: the plate, and the table of what the address asks for. */
export function Tab({ order }: TabProps) {
  const { path, query, route } = useLocation();
  const wanted = useReadsQuery();
  const { page, q, state } = wanted;
  const hasTiles = order.counts.samples <= TILES_SHOWN;
  const list = useList((signal) => readPage(order.id, wanted, signal), [order.id, page, q, state]);
  const tiles = useResource(
    async (signal) =>
      hasTiles ? (await readSamples(order.id, { pageSize: TILES_SHOWN }, signal)).samples : null,
    [order.id, hasTiles],
  );
  useLive([`order:${order.id}`], () => {
    void list.reload();
    if (hasTiles) void tiles.reload();
  });
  const change = (changes: Record<string, string | null>): void =>
    route(addressWith(path, query, { page: null, ...changes }), true);

  if (order.counts.samples === 0) return <Empty title={text.none}>{text.noneWhy}</Empty>;
  return (
    <AddReads
      orderId={order.id}
      orderNumber={order.orderNumber}
      refusal={demoRefusal.value}
      openUploads={list.data.value?.summary.openUploads ?? 0}
    >
      <div class="stack reads">
        <PlateCard
          order={order}
          tiles={tiles}
          state={state}
          onState={(next) => change({ state: next })}
          onOpen={(sample) => change({ q: sample })}
        />
        <Loaded of={list}>
          {({ samples, total }) => (
            <>
              <div class="spread">
                <search class="line list-bar">
                  <SearchField
                    name="reads"
                    label={text.search}
                    placeholder={text.searchHint}
                    words={q ?? ""}
                    onSearch={(words) => change({ q: words })}
                  />
                </search>
                <SaveList file={`${order.orderNumber}-reads.csv`} columns={COLUMNS} rows={samples} />
              </div>
              {samples.length === 0 ? (
                <Empty title={text.noneFits} />
              ) : (
                <div class="stack-tight">
                  <Table label={text.table} columns={COLUMNS} rows={samples} rowId={({ id }) => id} />
                  <Pager
                    page={page}
                    pageSize={PAGE_SIZE}
                    total={total ?? samples.length}
                    onPage={(next) => change({ page: next === 1 ? null : String(next) })}
                  />
                </div>
              )}
            </>
          )}
        </Loaded>
      </div>
    </AddReads>
  );
}
