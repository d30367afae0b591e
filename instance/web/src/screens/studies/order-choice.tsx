import { useResource } from "../../api/resource";
import { CheckField } from "../../parts/choice-fields";
import { Loaded } from "../../parts/loading";
import { text } from "../../text/en/studies";
import { readOrders } from "./state";

interface Props {
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

/** The orders whose samples join a study. */
export function OrderChoice({ chosen, onChange }: Props) {
  const orders = useResource(readOrders, []);
  return (
    <Loaded of={orders}>
      {(found) =>
        found.length === 0 ? (
          <p class="muted">{text.noOrders}</p>
        ) : (
          <fieldset class="field order-choice">
            <legend class="field-label">{text.ordersLabel}</legend>
            <p class="field-help">{text.samplesHelp}</p>
            {found.map(({ id, name, orderNumber, counts }) => (
              <CheckField
                key={id}
                name={`order-${id}`}
                label={text.orderSamples(name ?? orderNumber, counts.samples)}
                help={name === null ? undefined : orderNumber}
                isChecked={chosen.has(id)}
                onChange={(isOn) => {
                  const next = new Set(chosen);
                  if (isOn) next.add(id);
                  else next.delete(id);
                  onChange(next);
                }}
              />
            ))}
          </fieldset>
        )
      }
    </Loaded>
  );
}
