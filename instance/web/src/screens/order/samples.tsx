import { useLocation } from "preact-iso";
import { addressWith } from "../../parts/address";
import { LinkButton } from "../../parts/button";
import { FilterChip } from "../../parts/chip";
import { PLATE_STATES } from "../../parts/plate-tiles";
import { SearchField } from "../../parts/search-field";
import { text } from "../../text/en/order";
import { orderText } from "../../text/en/orders";
import { SamplePages, useSampleQuery } from "./sample-pages";
import { NoSamples, plateLabels } from "./sample-table";
import type { Order } from "./state";

/** All samples of an order, by pages, searched and narrowed by their state. */
export function SamplesTab({ order }: { order: Order }) {
  const { path, query, route } = useLocation();
  const { q = "", state } = useSampleQuery();
  if (order.counts.samples === 0) return <NoSamples order={order} />;
  const change = (changes: Record<string, string | null>): void =>
    route(addressWith(path, query, { ...changes, page: null }), true);
  const labels = plateLabels();
  const states = PLATE_STATES.filter((each) => order.plate[each] > 0 || each === state);
  return (
    <div class="stack">
      <div class="spread">
        <search class="line list-bar">
          <SearchField
            name="samples"
            label={text.searchSamples}
            placeholder={text.searchSamplesHint}
            words={q}
            onSearch={(words) => change({ q: words })}
          />
          {states.length > 1 &&
            states.map((each) => (
              <FilterChip
                key={each}
                isOn={each === state}
                onToggle={() => change({ state: each === state ? null : each })}
              >
                {text.stateWith(labels[each] ?? each, order.plate[each])}
              </FilterChip>
            ))}
        </search>
        <div class="line">
          {order.status === "DRAFT" && (
            <LinkButton look="main" icon="edit" href={`/orders/new?order=${order.orderNumber}`}>
              {orderText.step.FINISH_DRAFT}
            </LinkButton>
          )}
          <LinkButton
            icon="download"
            label={text.exportAs("Excel")}
            href={exportOf(order, "xlsx", q, state)}
            download
          >
            {text.excel}
          </LinkButton>
          <LinkButton
            icon="download"
            label={text.exportAs("CSV")}
            href={exportOf(order, "csv", q, state)}
            download
          >
            {text.csv}
          </LinkButton>
        </div>
      </div>
      <SamplePages order={order} isWhole />
    </div>
  );
}

/** A file of the samples that are shown, on all pages. */
function exportOf({ id }: Order, format: "csv" | "xlsx", q: string, state: string | undefined): string {
  return addressWith(`/api/orders/${id}/samples/export`, { format }, { q, state: state ?? null });
}
