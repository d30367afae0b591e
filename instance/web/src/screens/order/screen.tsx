import "../../style/screens/order.css";
import { useEffect } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso";
import { useLive } from "../../api/live";
import { useResource } from "../../api/resource";
import { addressWith } from "../../parts/address";
import { Loaded } from "../../parts/loading";
import { OnPaper } from "../../parts/on-paper";
import { Tabs } from "../../parts/tabs";
import { text } from "../../text/en/order";
import { AnalysesTab } from "./analyses";
import { DeliveryTab } from "./delivery/tab";
import { OrderHead } from "./head";
import { NextBar } from "./next-bar";
import { NotesTab } from "./notes";
import { OverviewTab } from "./overview";
import { PackingSlip } from "./packing-slip";
import { SamplesTab } from "./samples";
import { OrderStages } from "./stages";
import { type Order, readOrder, readSamples } from "./state";

export function Screen() {
  const { params } = useRoute();
  const address = params.number ?? "";
  const order = useResource((signal) => readOrder(address, signal), [address]);
  return (
    <Loaded of={order} pageTitle={address}>
      {(found) => <OrderPage key={found.id} order={found} address={address} onChange={order.reload} />}
    </Loaded>
  );
}

interface PageProps {
  order: Order;
  address: string;
  onChange: () => Promise<void>;
}

function OrderPage({ order, address, onChange }: PageProps) {
  const { path, query, route } = useLocation();
  const samples = useResource((signal) => readSamples(order.id, signal), [order.id]);
  const own = `/orders/${order.orderNumber}`;

  useEffect(() => {
    // What people say aloud is the number: it replaces the id.
    if (address !== order.orderNumber) route(addressWith(own, query), true);
  }, [address]);

  const changed = async (): Promise<void> => {
    await Promise.all([onChange(), samples.reload()]);
  };
  useLive([`order:${order.id}`], () => void changed());
  const views = {
    overview: () => <OverviewTab order={order} samples={samples} address={own} />,
    samples: () => <SamplesTab order={order} samples={samples} />,
    analyses: () => <AnalysesTab order={order} />,
    delivery: () => <DeliveryTab order={order} onChange={changed} />,
    notes: () => <NotesTab order={order} onChange={changed} />,
  };
  const isView = (id: string): id is keyof typeof views => Object.hasOwn(views, id);
  const current = query.tab && isView(query.tab) ? query.tab : "overview";
  const tabs = Object.keys(views)
    .filter(isView)
    .map((id) => ({
      id,
      label: text.tabs[id],
      href: addressWith(path, {}, { tab: id === "overview" ? null : id }),
      count: id === "samples" ? order.counts.samples : undefined,
    }));

  return (
    <div class="stack order">
      <OrderHead order={order} onChange={changed} />
      <NextBar order={order} onChange={changed} />
      <OrderStages order={order} />
      <Tabs label={text.tablist} tabs={tabs} current={current}>
        {views[current]()}
      </Tabs>
      <OnPaper>{() => <PackingSlip order={order} samples={samples.data.value ?? []} />}</OnPaper>
    </div>
  );
}
