import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import "../../style/screens/orders.css";
import { useLive } from "../../api/live";
import { addressWith } from "../../parts/address";
import { Button, LinkButton } from "../../parts/button";
import { useColumns } from "../../parts/column-choice";
import { Empty } from "../../parts/empty";
import { LiveStamp } from "../../parts/live-stamp";
import { Loaded } from "../../parts/loading";
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
import { type ListedOrder, type OrderList, PAGE, type Query, queryOf, useOrderList } from "./state";

const FIRST = 1;

export function Screen() {
  const { path, query: words, route } = useLocation();
  const query = queryOf(words);
  const [pages, setPages] = useState(FIRST);
  const list = useOrderList(query, pages);
  useLive(["orders"], () => void list.reload());
  const change = (changes: Record<string, string | null>): void => {
    setPages(FIRST);
    route(addressWith(path, words, changes), true);
  };
  const clear = (): void => {
    setPages(FIRST);
    route(addressWith(path, query.sort ? { sort: query.sort } : {}), true);
  };
  const orders = list.data.value?.orders ?? [];
  const columns = useColumns("orders", columnsFor(isAdmin.value));
  return (
    <div class="stack">
      <PageHead
        title={orderText.orders}
        help="ordering"
        aside={<LiveStamp of={[list]} />}
        actions={
          <>
            <SaveList file="orders.csv" columns={columns.shown} rows={orders} />
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
        {(found) =>
          found.orders.length === 0 ? (
            <NoOrders query={query} onClear={clear} />
          ) : (
            <Rows
              found={found}
              columns={columns.shown}
              query={query}
              onSort={(sort) => change({ sort })}
              onMore={() => setPages(pages + 1)}
              onChange={list.reload}
            />
          )
        }
      </Loaded>
    </div>
  );
}

interface RowsProps {
  found: OrderList;
  columns: readonly OrderColumn[];
  query: Query;
  onSort: (sort: string) => void;
  onMore: () => void;
  onChange: () => Promise<void>;
}

function Rows({ found, columns, query, onSort, onMore, onChange }: RowsProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { orders, total } = found;
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
      <div class="line muted">
        <span role="status">{common.rows(orders.length, total)}</span>
        {orders.length < total && (
          <Button onClick={onMore}>{text.more(Math.min(PAGE, total - orders.length))}</Button>
        )}
        <span class="keys">{text.keys}</span>
      </div>
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
