import { useState } from "preact/hooks";
import { useList } from "../../api/resource";
import { CheckField } from "../../parts/choice-fields";
import { FieldGroup } from "../../parts/field-group";
import { Loaded } from "../../parts/loading";
import { SearchField } from "../../parts/search-field";
import { text } from "../../text/en/studies";
import { ORDERS_OFFERED, type Order, readOrders } from "./state";

interface Props {
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

/** The orders whose samples join a study: those that changed last, or those that are searched for. */
export function OrderChoice({ chosen, onChange }: Props) {
  const [words, setWords] = useState("");
  const orders = useList((signal) => readOrders(words, signal), [words]);
  // What was chosen stays in sight, whatever is searched for next.
  const [picked, setPicked] = useState<ReadonlyMap<string, Order>>(new Map());
  const choose = (order: Order, isOn: boolean): void => {
    const next = new Set(chosen);
    if (isOn) next.add(order.id);
    else next.delete(order.id);
    setPicked(new Map([...picked, [order.id, order]]));
    onChange(next);
  };
  return (
    <FieldGroup name="orders" label={text.ordersLabel} help={text.samplesHelp}>
      <Loaded of={orders}>
        {({ orders: found, total }) => {
          const isSearched = words !== "" || total > ORDERS_OFFERED;
          const kept = [...picked.values()].filter(({ id }) => chosen.has(id));
          const offered = [...new Map([...kept, ...found].map((order) => [order.id, order])).values()];
          return (
            <div class="stack-tight">
              {isSearched && (
                <SearchField name="order" label={text.searchOrders} words={words} onSearch={setWords} />
              )}
              {offered.length === 0 && <p class="muted">{isSearched ? text.noOrderFits : text.noOrders}</p>}
              <div class="order-choice">
                {offered.map((order) => (
                  <CheckField
                    key={order.id}
                    name={`order-${order.id}`}
                    label={text.orderSamples(order.name ?? order.orderNumber, order.counts.samples)}
                    help={order.name === null ? undefined : order.orderNumber}
                    isChecked={chosen.has(order.id)}
                    onChange={(isOn) => choose(order, isOn)}
                  />
                ))}
              </div>
              {total > found.length && <p class="muted">{text.moreOrders(total - found.length)}</p>}
            </div>
          );
        }}
      </Loaded>
    </FieldGroup>
  );
}
