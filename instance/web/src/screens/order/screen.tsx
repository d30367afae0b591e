import "../../style/screens/order.css";
import { useEffect } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso";
import { useLive } from "../../api/live";
import { type Resource, useResource } from "../../api/resource";
import { addressWith } from "../../parts/address";
import { Loaded } from "../../parts/loading";
import { TILES_SHOWN } from "../../parts/plate-tiles";
import { Tabs } from "../../parts/tabs";
import { text } from "../../text/en/order";
import { OrderHead } from "./head";
import { NextBar } from "./next-bar";
import { PackingSlip, usePackingSlip } from "./packing-slip";
import { OrderStages } from "./stages";
import { type Order, readOrder, readSamples } from "./state";
import { OrderTab, ownTabs, tabOf } from "./tabs";

export function Screen() {
  const { params } = useRoute();
  const address = params.number ?? "";
  const order = useResource((signal) => readOrder(address, signal), [address]);
  return (
    <Loaded of={order} pageTitle={address}>
      {(found) => (
        <OrderPage key={found.id} order={found} of={order} address={address} onChange={order.reload} />
      )}
    </Loaded>
  );
}

interface PageProps {
  order: Order;
  of: Resource<Order>;
  address: string;
  onChange: () => Promise<void>;
}

function OrderPage({ order, of, address, onChange }: PageProps) {
  const { path, query, route } = useLocation();
  const own = `/orders/${order.orderNumber}`;
  const current = tabOf(query.tab);
  const hasTiles = current === "overview" && order.counts.samples <= TILES_SHOWN;
  const tiles = useResource(
    async (signal) =>
      hasTiles ? (await readSamples(order.id, { pageSize: TILES_SHOWN }, signal)).samples : [],
    [order.id, hasTiles],
  );
  const slip = usePackingSlip(order, hasTiles ? tiles.data.value : null);

  useEffect(() => {
    // What people say aloud is the number: it replaces the id.
    if (address !== order.orderNumber) route(addressWith(own, query), true);
  }, [address]);

  useLive([`order:${order.id}`], () => {
    void onChange();
    if (hasTiles) void tiles.reload();
  });
  const tabs = ownTabs().map((id) => ({
    id,
    label: text.tabs[id],
    href: addressWith(path, {}, { tab: id === "overview" ? null : id }),
    count: id === "samples" ? order.counts.samples : undefined,
  }));

  return (
    <div class="stack order">
      <OrderHead order={order} of={of} slip={slip} onChange={onChange} />
      <NextBar order={order} onChange={onChange} />
      <OrderStages order={order} />
      <Tabs label={text.tablist} tabs={tabs} current={current}>
        <OrderTab
          id={current}
          order={order}
          tiles={hasTiles ? tiles : null}
          address={own}
          onChange={onChange}
        />
      </Tabs>
      {slip.samples && <PackingSlip order={order} samples={slip.samples} />}
    </div>
  );
}
