import { useState } from "preact/hooks";
import type { Resource } from "../../api/resource";
import { LinkButton } from "../../parts/button";
import { Empty } from "../../parts/empty";
import { TextField } from "../../parts/field";
import { Loaded } from "../../parts/loading";
import { text } from "../../text/en/order";
import { orderText } from "../../text/en/orders";
import { NoSamples } from "./overview";
import { SampleTable } from "./sample-table";
import type { Order, Sample } from "./state";

export function SamplesTab({ order, samples }: { order: Order; samples: Resource<Sample[]> }) {
  const [wanted, setWanted] = useState("");
  return (
    <Loaded of={samples}>
      {(found) => {
        if (found.length === 0) return <NoSamples order={order} />;
        const shown = found.filter((sample) => fits(sample, wanted));
        return (
          <div class="stack">
            <div class="spread">
              <TextField
                name="samples"
                type="search"
                label={text.searchSamples}
                value={wanted}
                onInput={setWanted}
              />
              <div class="line">
                {order.status === "DRAFT" && (
                  <LinkButton look="main" icon="edit" href={`/orders/new?order=${order.orderNumber}`}>
                    {orderText.step.FINISH_DRAFT}
                  </LinkButton>
                )}
                <LinkButton icon="download" href={exportOf(order, "xlsx")} download>
                  {text.exportAs("Excel")}
                </LinkButton>
                <LinkButton icon="download" href={exportOf(order, "csv")} download>
                  {text.exportAs("CSV")}
                </LinkButton>
              </div>
            </div>
            {shown.length === 0 ? <Empty title={text.noneShown} /> : <SampleTable samples={shown} isWhole />}
          </div>
        );
      }}
    </Loaded>
  );
}

function exportOf(order: Order, format: "csv" | "xlsx"): string {
  return `/api/orders/${order.id}/samples/export?format=${format}`;
}

function fits(sample: Sample, wanted: string): boolean {
  const words = [sample.sampleAlias, sample.sampleId, sample.scientificName, sample.taxId];
  return words.some((word) => word?.toLowerCase().includes(wanted.trim().toLowerCase()));
}
