import { useEffect, useState } from "preact/hooks";
import { type Action, useAction } from "../../api/resource";
import { boot, siteName } from "../../session";
import { text } from "../../text/en/order";
import { orderText } from "../../text/en/orders";
import { minuteTime } from "../../text/format";
import { titleOf } from "./head";
import { type Order, readSamples, type Sample } from "./state";

export interface Slip {
  /** All samples, once they are known. */
  samples: readonly Sample[] | null;
  print: Action<[]>;
}

/** Print the slip with the samples that are shown anyway, or else with those that are read for it. */
export function usePackingSlip(order: Order, shown: readonly Sample[] | null): Slip {
  const [read, setRead] = useState<readonly Sample[] | null>(null);
  const printing = useAction(async () => {
    if (shown) print();
    else setRead((await readSamples(order.id, {})).samples);
  });
  useEffect(() => {
    if (read) print();
  }, [read]);
  return { samples: shown ?? read, print: printing };
}

/** What goes into the box with the samples. It is seen on paper only, where it is all that is seen. */
export function PackingSlip({ order, samples }: { order: Order; samples: readonly Sample[] }) {
  const { user } = order;
  const instructions = boot.value?.site.postSubmissionInstructions ?? "";
  return (
    <div class="slip" aria-hidden="true">
      <header class="slip-head">
        <div>
          <p class="slip-site">{siteName.value}</p>
          <p class="slip-kind">{text.slip}</p>
        </div>
        <p class="slip-number">{order.orderNumber}</p>
      </header>
      <dl class="slip-facts">
        <dt>{text.order}</dt>
        <dd>{titleOf(order)}</dd>
        <dt>{text.owner}</dt>
        <dd>
          <span>
            {user.firstName} {user.lastName}
          </span>
          , {user.email}
        </dd>
        <dt>{text.slipContents}</dt>
        <dd>
          {orderText.samples(order.counts.samples)}
          {order.platform && `, ${orderText.platform(order.platform)}`}
          {order.libraryStrategy && `, ${order.libraryStrategy}`}
        </dd>
        <dt>{text.slipPrinted}</dt>
        <dd>{minuteTime(new Date())}</dd>
      </dl>
      {instructions && (
        <div class="slip-instructions">
          <p class="slip-title">{text.slipInstructions}</p>
          <p>{instructions}</p>
        </div>
      )}
      <table class="slip-samples">
        <thead>
          <tr class="slip-repeated">
            <th colSpan={5}>
              <span class="mono">{order.orderNumber}</span> {titleOf(order)}
            </th>
          </tr>
          <tr>
            <th>#</th>
            <th>{text.sample}</th>
            <th>{text.code}</th>
            <th>{text.organism}</th>
            <th>{text.slipCheck}</th>
          </tr>
        </thead>
        <tbody>
          {samples.map((sample, place) => (
            <tr key={sample.id}>
              <td>{place + 1}</td>
              <td>{sample.sampleAlias}</td>
              <td class="mono">{sample.sampleId}</td>
              <td>{sample.scientificName ?? sample.taxId}</td>
              <td class="slip-box">
                <span />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
