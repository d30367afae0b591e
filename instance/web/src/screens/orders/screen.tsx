import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import "../../style/screens/orders.css";
import { useLive } from "../../api/live";
import type { Pages } from "../../api/pages";
import { addressWith } from "../../parts/address";
import { Button, LinkButton } from "../../parts/button";
import { useColumns } from "../../parts/column-choice";
import { Empty } from "../../parts/empty";
import { LiveStamp } from "../../parts/live-stamp";
import { Loaded } from "../../parts/loading";
import { MoreRows } from "../../parts/more-rows";
import { PageHead } from "../../parts/page-head";
import { SaveList } from "../../parts/saved-list";
import { type Column, Table } from "../../parts/table";
import { isAdmin } from "../../session";
import { text as common } from "../../text/en/common";
import { selectionText, listText as text } from "../../text/en/order-list";
import { orderText } from "../../text/en/orders";
import { columnsFor, type OrderColumn } from "./columns";
import { Filters } from "./filters";
import { Selection } from "./selection";
import { type ListedOrder, type Query, queryOf, useOrders } from "./state";

export function Screen() {
  const { path, query: words, route } = useLocation();
  const query = queryOf(words);
  const pages = useOrders(query);
  const { list } = pages;
  useLive(["orders"], () => void list.reload());
  const change = (changes: Record<string, string | null>): void =>
    route(addressWith(path, words, changes), true);
  const clear = (): void => route(addressWith(path, query.sort ? { sort: query.sort } : {}), true);
  const columns = useColumns("orders", columnsFor(isAdmin.value));
  return (
    <div class="stack">
      <PageHead
        title={orderText.orders}
        help="ordering"
        aside={<LiveStamp of={[list]} />}
        actions={
          <>
            <SaveList file="orders.csv" columns={columns.shown} rows={pages.rows} all={pages} />
            <LinkButton look="main" icon="add" href="/orders/new">
              {orderText.orderSequencing}
            </LinkButton>
          </>
        }
      />
      <Filters query={query} onChange={change} onClear={clear}>
        {columns.menu}
      </Filters>
      <Loaded of={list}>
        {({ rows }) =>
          rows.length === 0 ? (
            <NoOrders query={query} onClear={clear} />
          ) : (
            <Rows
              pages={pages}
              columns={columns.shown}
              query={query}
              onSort={(sort) => change({ sort })}
              onChange={list.reload}
            />
          )
        }
      </Loaded>
    </div>
  );
}

interface RowsProps {
  pages: Pages<ListedOrder>;
  columns: readonly OrderColumn[];
  query: Query;
  onSort: (sort: string) => void;
  onChange: () => Promise<void>;
}

function Rows({ pages, columns, query, onSort, onChange }: RowsProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { rows: orders } = pages;
  return (
    <div class="stack-tight">
      <Selection orders={orders} columns={columns} chosen={chosen} onChoose={setChosen} onChange={onChange} />
      <Table
        label={orderText.orders}
        columns={[choiceOf(chosen, setChosen), ...columns]}
        selected={chosen}
        rows={orders}
        rowId={(order) => order.id}
        sort={query.sort ?? "-created"}
        onSort={onSort}
      />
      <MoreRows of={pages} words={text.more}>
        <span class="keys">{text.keys}</span>
      </MoreRows>
    </div>
  );
}

/** The column in which orders are chosen. */
function choiceOf(
  chosen: ReadonlySet<string>,
  onChoose: (chosen: ReadonlySet<string>) => void,
): Column<ListedOrder> {
  return {
    id: "choose",
    label: selectionText.chosen,
    cell: ({ id, orderNumber }) => (
      <input
        type="checkbox"
        aria-label={selectionText.choose(orderNumber)}
        checked={chosen.has(id)}
        onChange={({ currentTarget }) => {
          const next = new Set(chosen);
          if (currentTarget.checked) next.add(id);
          else next.delete(id);
          onChoose(next);
        }}
      />
    ),
  };
}

function NoOrders({ query, onClear }: { query: Query; onClear: () => void }) {
  const { sort: _, ...filters } = query;
  if (Object.keys(filters).length > 0) {
    return <Empty title={text.noneFound} action={<Button onClick={onClear}>{common.clearAll}</Button>} />;
  }
  return (
    <Empty
      title={text.none}
      action={
        <LinkButton look="main" href="/orders/new">
          {orderText.orderSequencing}
        </LinkButton>
      }
    >
      {isAdmin.value ? text.noneForAdmin : text.noneWhy}
    </Empty>
  );
}
