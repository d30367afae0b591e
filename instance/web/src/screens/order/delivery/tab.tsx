import { useLive } from "../../../api/live";
import { useResource } from "../../../api/resource";
import { DemoNote } from "../../../parts/demo-note";
import { Empty } from "../../../parts/empty";
import { Loaded } from "../../../parts/loading";
import { Reports } from "../../../parts/reports";
import { isAdmin } from "../../../session";
import { deliveryText as text } from "../../../text/en/delivery";
import type { Order } from "../state";
import { DeliveryActions } from "./actions";
import { FileTable } from "./file-table";
import { allOf, arrange, type Delivery } from "./files";
import { ReleaseBar } from "./release-bar";
import { readDelivery } from "./state";

interface Props {
  order: Order;
  onChange: () => Promise<void>;
}

export function DeliveryTab({ order, onChange }: Props) {
  const delivery = useResource((signal) => readDelivery(order.id, signal), [order.id]);
  useLive([`order:${order.id}`], () => void delivery.reload());
  const changed = async (found: Delivery): Promise<void> => {
    delivery.put(found);
    await onChange();
  };
  return (
    <Loaded of={delivery}>
      {(found) => (
        <div class="stack">
          <DemoNote />
          {isAdmin.value && <ReleaseBar order={order} delivery={found} onChange={changed} />}
          <Contents order={order} delivery={found} />
        </div>
      )}
    </Loaded>
  );
}

function Contents({ order, delivery }: { order: Order; delivery: Delivery }) {
  const files = arrange(delivery);
  const all = allOf(files);
  if (all.length === 0) {
    return isAdmin.value ? (
      <Empty title={text.nothingToRelease}>{text.nothingToReleaseWhy}</Empty>
    ) : (
      <Empty title={delivery.isPublished ? text.nothingThere : text.notReleased}>{text.notReleasedWhy}</Empty>
    );
  }
  return (
    <>
      <DeliveryActions order={order} delivery={delivery} files={all} />
      {files.reports.length > 0 && (
        <div class="card stack">
          <h2>{text.reports}</h2>
          <Reports reports={files.reports.map((report) => ({ ...report, kind: text.role(report.role) }))} />
        </div>
      )}
      <FileTable files={files} />
    </>
  );
}
