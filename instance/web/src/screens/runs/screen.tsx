import "../../style/screens/orders.css";
import { useLocation } from "preact-iso";
import { useLive } from "../../api/live";
import { addressWith } from "../../parts/address";
import { Button, LinkButton } from "../../parts/button";
import { useColumns } from "../../parts/column-choice";
import { Empty } from "../../parts/empty";
import { LiveStamp } from "../../parts/live-stamp";
import { Loaded } from "../../parts/loading";
import { MoreRows } from "../../parts/more-rows";
import { PageHead } from "../../parts/page-head";
import { SaveList } from "../../parts/saved-list";
import { Table } from "../../parts/table";
import { isAdmin } from "../../session";
import { text as common } from "../../text/en/common";
import { runText, listText as text } from "../../text/en/runs";
import { columnsFor } from "./columns";
import { Filters } from "./filters";
import { isActive, type Query, queryOf, useRuns } from "./state";

/** Every run for the facility; for a researcher those that are selected as results. */
export function Screen() {
  const { path, query: words, route } = useLocation();
  const query = queryOf(words);
  const pages = useRuns(query);
  const { list, rows: found } = pages;
  useLive(
    ["runs"],
    () => void list.reload(),
    () => found.some(isActive),
  );
  const change = (changes: Record<string, string | null>): void =>
    route(addressWith(path, words, changes), true);
  const clear = (): void => route(path, true);
  const columns = useColumns("runs", columnsFor(isAdmin.value));
  const order = found[0]?.order;
  return (
    <div class="stack">
      <PageHead
        title={runText.runs}
        help="analyses"
        aside={<LiveStamp of={[list]} />}
        actions={<SaveList file="runs.csv" columns={columns.shown} rows={found} all={pages} />}
      />
      <Filters
        query={query}
        orderName={order && order.id === query.orderId ? (order.name ?? order.orderNumber) : undefined}
        onChange={change}
        onClear={clear}
      >
        {columns.menu}
      </Filters>
      <Loaded of={list}>
        {({ rows }) =>
          rows.length === 0 ? (
            <NoRuns query={query} onClear={clear} />
          ) : (
            <div class="stack-tight">
              <Table label={runText.runs} columns={columns.shown} rows={rows} rowId={({ id }) => id} />
              <MoreRows of={pages} words={text.more} />
            </div>
          )
        }
      </Loaded>
    </div>
  );
}

function NoRuns({ query, onClear }: { query: Query; onClear: () => void }) {
  if (Object.keys(query).length > 0) {
    return <Empty title={text.noneFound} action={<Button onClick={onClear}>{common.clearAll}</Button>} />;
  }
  return (
    <Empty title={text.none} action={<LinkButton href="/orders">{text.orders}</LinkButton>}>
      {isAdmin.value ? text.noneWhy : text.noneForResearcher}
    </Empty>
  );
}
