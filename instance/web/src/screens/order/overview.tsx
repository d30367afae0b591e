import { useLocation } from "preact-iso";
import type { Resource } from "../../api/resource";
import { addressWith } from "../../parts/address";
import { LinkButton } from "../../parts/button";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { Plate } from "../../parts/plate";
import { PLATE_STATES, type PlateState } from "../../parts/plate-tiles";
import { text } from "../../text/en/order";
import { orderText } from "../../text/en/orders";
import { plateLabels, SampleTable } from "./sample-table";
import { SideCards } from "./side-cards";
import type { Order, Sample } from "./state";

interface Props {
  order: Order;
  samples: Resource<Sample[]>;
  address: string;
}

export function OverviewTab({ order, samples, address }: Props) {
  return (
    <div class="with-side">
      <div class="card stack">
        <div class="spread">
          <h2>{text.samplesTitle}</h2>
          <span class="muted">{orderText.samples(order.counts.samples)}</span>
        </div>
        <Loaded of={samples}>
          {(found) =>
            found.length === 0 ? (
              <NoSamples order={order} />
            ) : (
              <PlateAndTable samples={found} address={address} />
            )
          }
        </Loaded>
      </div>
      <SideCards order={order} address={address} />
    </div>
  );
}

export function NoSamples({ order }: { order: Order }) {
  return (
    <Empty
      title={text.noSamples}
      action={
        order.status === "DRAFT" && (
          <LinkButton look="main" href={`/orders/new?order=${order.orderNumber}`}>
            {orderText.step.FINISH_DRAFT}
          </LinkButton>
        )
      }
    >
      {text.noSamplesWhy}
    </Empty>
  );
}

/** The plate, whose legend filters, and what it shows as a table. The filter and the open tile are in the address. */
function PlateAndTable({ samples, address }: { samples: Sample[]; address: string }) {
  const { query, route } = useLocation();
  const filter = new Set(PLATE_STATES.filter((state) => query.state?.split(".").includes(state)));
  const change = (changes: Record<string, string | null>): void =>
    route(addressWith(address, query, changes), true);
  const setFilter = (states: ReadonlySet<PlateState>): void =>
    change({ state: [...states].join("."), sample: null });
  const inFilter = samples.filter(({ plateState }) => filter.size === 0 || filter.has(plateState));
  const shown = query.sample ? samples.filter(({ sampleId }) => sampleId === query.sample) : inFilter;
  return (
    <>
      <Plate
        tiles={samples.map((sample) => ({
          id: sample.sampleId,
          label: sample.sampleAlias ?? sample.sampleId,
          state: sample.plateState,
        }))}
        labels={plateLabels()}
        filter={filter}
        onFilter={setFilter}
        selected={query.sample ? new Set([query.sample]) : undefined}
        onOpen={(tile) => change({ sample: tile.id === query.sample ? null : tile.id })}
      />
      {shown.length === 0 ? <Empty title={text.noneShown} /> : <SampleTable samples={shown} />}
    </>
  );
}
