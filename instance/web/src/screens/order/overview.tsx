import { useLocation } from "preact-iso";
import type { Resource } from "../../api/resource";
import { addressWith } from "../../parts/address";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { Plate } from "../../parts/plate";
import type { PlateState } from "../../parts/plate-tiles";
import { text } from "../../text/en/order";
import { orderText } from "../../text/en/orders";
import { SamplePages, useSampleQuery } from "./sample-pages";
import { NoSamples, plateLabels, SampleTable } from "./sample-table";
import { SideCards } from "./side-cards";
import type { Order, Sample } from "./state";

interface Props {
  order: Order;
  /** All samples, where the plate has a tile for each. */
  tiles: Resource<Sample[]> | null;
  address: string;
}

export function OverviewTab({ order, tiles, address }: Props) {
  return (
    <div class="with-side">
      <div class="card stack">
        <div class="spread">
          <h2>{text.samplesTitle}</h2>
          <span class="muted">{orderText.samples(order.counts.samples)}</span>
        </div>
        {order.counts.samples === 0 ? (
          <NoSamples order={order} />
        ) : tiles ? (
          <Loaded of={tiles}>
            {(samples) => <PlateAndTable order={order} samples={samples} address={address} />}
          </Loaded>
        ) : (
          <PlateAndTable order={order} samples={null} address={address} />
        )}
      </div>
      <SideCards order={order} address={address} />
    </div>
  );
}

interface PlateProps {
  order: Order;
  samples: Sample[] | null;
  address: string;
}

/** The plate, whose legend filters, and what it shows as a table. The filter and the open tile are in the address. */
function PlateAndTable({ order, samples, address }: PlateProps) {
  const { query, route } = useLocation();
  const { state } = useSampleQuery();
  const change = (changes: Record<string, string | null>): void =>
    route(addressWith(address, query, { page: null, ...changes }), true);
  const only = (states: ReadonlySet<PlateState>): PlateState | undefined =>
    [...states].find((each) => each !== state);
  return (
    <>
      <Plate
        tiles={samples?.map(asTile) ?? null}
        counts={order.plate}
        labels={plateLabels()}
        filter={new Set(state && [state])}
        onFilter={(states) => change({ state: only(states) ?? null, sample: null })}
        selected={query.sample ? new Set([query.sample]) : undefined}
        onOpen={(tile) => change({ sample: tile.id === query.sample ? null : tile.id })}
      />
      {samples ? (
        <Shown samples={samples} sample={query.sample} state={state} />
      ) : (
        <SamplePages order={order} />
      )}
    </>
  );
}

const asTile = ({ sampleId, sampleAlias, plateState }: Sample) => ({
  id: sampleId,
  label: sampleAlias ?? sampleId,
  state: plateState,
});

interface ShownProps {
  samples: Sample[];
  sample: string | undefined;
  state: PlateState | undefined;
}

function Shown({ samples, sample, state }: ShownProps) {
  const shown = samples.filter(({ sampleId, plateState }) =>
    sample ? sampleId === sample : state === undefined || plateState === state,
  );
  return shown.length === 0 ? <Empty title={text.noneShown} /> : <SampleTable samples={shown} />;
}
