import { Chip } from "../../parts/chip";
import { PlateStrip } from "../../parts/plate-density";
import type { SavedColumn } from "../../parts/saved-list";
import { Time } from "../../parts/time";
import { listText as text } from "../../text/en/order-list";
import { orderText } from "../../text/en/orders";
import { count } from "../../text/format";
import type { ListedOrder } from "./state";

export type OrderColumn = SavedColumn<ListedOrder>;

/** The columns of the list; whose order it is matters to admins only. */
export function columnsFor(admin: boolean): OrderColumn[] {
  const labels = admin ? orderText.plate : orderText.ownersPlate;
  const columns: (OrderColumn | false)[] = [
    {
      id: "number",
      label: text.number,
      sort: "number",
      cell: (order) => (
        <a class="mono" href={`/orders/${order.orderNumber}`}>
          {order.orderNumber}
        </a>
      ),
      isMinor: true,
      saved: (order) => order.orderNumber,
    },
    {
      id: "name",
      label: text.name,
      sort: "name",
      cell: ({ name, orderNumber }) => (
        <>
          {name === null ? <span class="muted">{orderText.unnamed}</span> : <span title={name}>{name}</span>}
          <a class="mono narrow-only" href={`/orders/${orderNumber}`}>
            {orderNumber}
          </a>
        </>
      ),
      isLong: true,
      saved: ({ name }) => name ?? "",
    },
    admin && {
      id: "owner",
      label: text.owner,
      cell: (order) => (
        <span class="person" title={ownerOf(order)}>
          {ownerOf(order)}
        </span>
      ),
      isMinor: true,
      saved: ownerOf,
    },
    {
      id: "platform",
      label: text.platform,
      cell: ({ platform }) => platform && <span class="short">{orderText.platform(platform)}</span>,
      isMinor: true,
      saved: ({ platform }) => platform ?? "",
    },
    {
      id: "library",
      label: text.library,
      cell: ({ libraryStrategy }) => libraryStrategy,
      isMinor: true,
      isExtra: true,
      saved: ({ libraryStrategy }) => libraryStrategy ?? "",
    },
    {
      id: "samples",
      label: text.samples,
      cell: ({ counts }) => count(counts.samples),
      isNumber: true,
      isMinor: true,
      saved: ({ counts }) => counts.samples,
    },
    {
      id: "plate",
      label: text.plate,
      cell: ({ counts, plate }) => counts.samples > 0 && <PlateStrip counts={plate} labels={labels} />,
      isMinor: true,
      saved: ({ plate }) => plate.done,
      savedLabel: labels.done,
    },
    {
      id: "stage",
      label: text.stage,
      cell: ({ stage }) => <Chip tone={orderText.stageTone[stage]}>{orderText.stage[stage]}</Chip>,
      saved: ({ stage }) => orderText.stage[stage],
    },
    {
      id: "begun",
      label: text.begun,
      sort: "created",
      cell: ({ createdAt }) => <Time at={createdAt} />,
      isMinor: true,
      isExtra: true,
      saved: ({ createdAt }) => createdAt,
    },
    {
      id: "changed",
      label: text.changed,
      sort: "changed",
      cell: ({ updatedAt }) => <Time at={updatedAt} />,
      isMinor: true,
      saved: ({ updatedAt }) => updatedAt,
    },
  ];
  return columns.filter((column) => column !== false);
}

function ownerOf({ user }: ListedOrder): string {
  return `${user.firstName} ${user.lastName}`;
}
