import { Chip } from "../../parts/chip";
import { toCsv } from "../../parts/csv";
import { PlateStrip } from "../../parts/plate-density";
import type { Column } from "../../parts/table";
import { Time } from "../../parts/time";
import { isAdmin } from "../../session";
import { listText as text } from "../../text/en/order-list";
import { orderText } from "../../text/en/orders";
import { count } from "../../text/format";
import type { ListedOrder } from "./state";

/** The columns of the list; whose order it is matters to admins only. */
export function columnsFor(admin: boolean): Column<ListedOrder>[] {
  const labels = admin ? orderText.plate : orderText.ownersPlate;
  const columns: (Column<ListedOrder> | false)[] = [
    {
      id: "number",
      label: text.number,
      sort: "number",
      cell: (order) => (
        <a class="mono" href={`/orders/${order.orderNumber}`}>
          {order.orderNumber}
        </a>
      ),
    },
    {
      id: "name",
      label: text.name,
      sort: "name",
      cell: (order) => order.name ?? <span class="muted">{orderText.unnamed}</span>,
    },
    admin && { id: "owner", label: text.owner, cell: ownerOf, isMinor: true },
    {
      id: "platform",
      label: text.platform,
      cell: (order) => (order.platform ? orderText.platform(order.platform) : "–"),
      isMinor: true,
    },
    {
      id: "samples",
      label: text.samples,
      cell: (order) => count(order.counts.samples),
      isNumber: true,
      isMinor: true,
    },
    {
      id: "plate",
      label: text.plate,
      cell: (order) => order.counts.samples > 0 && <PlateStrip counts={order.plate} labels={labels} />,
      isMinor: true,
    },
    {
      id: "stage",
      label: text.stage,
      cell: (order) => <Chip tone={orderText.stageTone[order.stage]}>{orderText.stage[order.stage]}</Chip>,
    },
    {
      id: "changed",
      label: text.changed,
      sort: "changed",
      cell: (order) => <Time at={order.updatedAt} />,
      isMinor: true,
    },
  ];
  return columns.filter((column) => column !== false);
}

function ownerOf({ user }: ListedOrder): string {
  return `${user.firstName} ${user.lastName}`;
}

/** The orders that are shown as CSV, with the headings of the table. */
export function csvOf(orders: readonly ListedOrder[]): string {
  const admin = isAdmin.value;
  const head = [
    text.number,
    text.name,
    ...(admin ? [text.owner] : []),
    text.platform,
    text.samples,
    text.done,
    text.stage,
    text.changed,
  ];
  const rows = orders.map((order) => [
    order.orderNumber,
    order.name ?? "",
    ...(admin ? [ownerOf(order)] : []),
    order.platform ?? "",
    order.counts.samples,
    order.plate.done,
    orderText.stage[order.stage],
    order.updatedAt,
  ]);
  return toCsv([head, ...rows]);
}
