import "../../style/screens/home.css";
import { useLive } from "../../api/live";
import { useResource } from "../../api/resource";
import { LinkButton } from "../../parts/button";
import { Chip } from "../../parts/chip";
import { Empty } from "../../parts/empty";
import { LiveStamp } from "../../parts/live-stamp";
import { Loaded } from "../../parts/loading";
import { PageHead } from "../../parts/page-head";
import { PlateStrip } from "../../parts/plate-density";
import { type Column, Table } from "../../parts/table";
import { boot, isDemo } from "../../session";
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
        aside={<LiveStamp of={[overview, latest]} />}
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
                <div class="line">
                  <LinkButton look="main" href="/orders/new">
                    {orderText.orderSequencing}
                  </LinkButton>
                  {boot.value?.site.demo && !isDemo.value && (
                    <LinkButton href="/demo">{text.lookAtDemo}</LinkButton>
                  )}
                </div>
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
    cell: (order) => (
      <>
        <a href={`/orders/${order.orderNumber}`} title={order.name ?? undefined}>
          {order.name ?? order.orderNumber}
        </a>
        <span class="narrow-only">
          <Next order={order} />
        </span>
      </>
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
    cell: (order) => <Next order={order} />,
    isMinor: true,
  },
];

/** What is next for an order; what its researcher does has a button. */
function Next({ order: { next, orderNumber } }: { order: ListedOrder }) {
  if (!next) return null;
  if (next.who === "FACILITY") return <span class="muted short">{text.facilitys[next.what]}</span>;
  return (
    <LinkButton href={addressOf({ order: { orderNumber }, action: next })}>
      {orderText.step[next.what]}
    </LinkButton>
  );
}
