import "../../style/screens/home.css";
import { useLive } from "../../api/live";
import { useResource } from "../../api/resource";
import { LinkButton } from "../../parts/button";
import { Chip } from "../../parts/chip";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { PageHead } from "../../parts/page-head";
import { PlateStrip } from "../../parts/plate-density";
import { type Column, Table } from "../../parts/table";
import { homeText as text } from "../../text/en/my-work";
import { orderText } from "../../text/en/orders";
import { Queue } from "./queue";
import { Ready } from "./ready";
import { addressOf, type ListedOrder, readLatestOrders, readOverview } from "./state";

/** A researcher's start: what is ready, what is asked, and the orders. */
export function Screen() {
  const overview = useResource(readOverview, []);
  const latest = useResource(readLatestOrders, []);
  useLive(["orders", "messages"], () => {
    void overview.reload();
    void latest.reload();
  });
  return (
    <div class="stack home">
      <PageHead
        title={text.myWork}
        help="ordering"
        actions={
          <LinkButton look="main" icon="add" href="/orders/new">
            {orderText.orderSequencing}
          </LinkButton>
        }
      />
      <Loaded of={overview}>
        {(found) => (
          <>
            {found.ready.length > 0 && <Ready overview={found} />}
            {found.waiting.length > 0 && <Queue overview={found} onChange={overview.reload} />}
          </>
        )}
      </Loaded>
      <Loaded of={latest}>
        {({ orders, total }) =>
          orders.length === 0 ? (
            <Empty
              title={text.none}
              action={
                <LinkButton look="main" href="/orders/new">
                  {orderText.orderSequencing}
                </LinkButton>
              }
            >
              {text.noneWhy}
            </Empty>
          ) : (
            <div class="stack">
              <div class="spread">
                <h2>{text.orders}</h2>
                <a href="/orders">{total > orders.length ? orderText.ordersFound(total) : text.allOrders}</a>
              </div>
              <Table label={text.orders} columns={COLUMNS} rows={orders} rowId={(order) => order.id} />
            </div>
          )
        }
      </Loaded>
    </div>
  );
}

const COLUMNS: Column<ListedOrder>[] = [
  {
    id: "name",
    label: text.name,
    cell: ({ name, orderNumber }) => (
      <a href={`/orders/${orderNumber}`} title={name ?? undefined}>
        {name ?? orderNumber}
      </a>
    ),
    isLong: true,
  },
  {
    id: "number",
    label: text.number,
    cell: (order) => <span class="mono">{order.orderNumber}</span>,
    isMinor: true,
  },
  {
    id: "plate",
    label: text.plate,
    cell: (order) =>
      order.counts.samples > 0 && <PlateStrip counts={order.plate} labels={orderText.ownersPlate} />,
    isMinor: true,
  },
  {
    id: "stage",
    label: text.stage,
    cell: (order) => <Chip tone={orderText.stageTone[order.stage]}>{orderText.stage[order.stage]}</Chip>,
  },
  {
    id: "next",
    label: text.next,
    cell: ({ next, orderNumber }) => {
      if (!next) return null;
      if (next.who === "FACILITY") return <span class="muted short">{text.facilitys[next.what]}</span>;
      return (
        <a class="short" href={addressOf({ order: { orderNumber }, action: next })}>
          {orderText.step[next.what]}
        </a>
      );
    },
    isMinor: true,
  },
];
