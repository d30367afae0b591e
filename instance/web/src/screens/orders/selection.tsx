import { useMemo, useState } from "preact/hooks";
import { Button } from "../../parts/button";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { saveText } from "../../parts/csv";
import { Icon } from "../../parts/icon";
import { Menu } from "../../parts/menu";
import { csvOf } from "../../parts/saved-list";
import { isAdmin } from "../../session";
import { selectionText as text } from "../../text/en/order-list";
import {
  type Bulk,
  type BulkState,
  bulk,
  ONE_CLICK_STEPS,
  type OneClickStep,
  readyFor,
  type StepOrder,
} from "./bulk";
import type { OrderColumn } from "./columns";
import { type ListedOrder, saveStep } from "./state";

interface Props {
  orders: readonly ListedOrder[];
  columns: readonly OrderColumn[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
  /** Orders have changed. */
  onChange: () => Promise<void>;
}

/** What is done with the orders that are chosen. */
export function Selection({ orders, columns, chosen, onChoose, onChange }: Props) {
  const [asked, setAsked] = useState<OneClickStep | null>(null);
  const steps = useMemo(() => bulk(saveStep), []);
  const picked = orders.filter(({ id }) => chosen.has(id));
  const none = picked.length === 0 ? text.chooseFirst : null;
  const record = async (step: OneClickStep): Promise<void> => {
    await steps.run(step, readyFor(step, picked));
    onChoose(new Set(steps.state.value?.failures.map(({ order }) => order.id)));
    await onChange();
  };
  return (
    <section class="stack-tight" aria-label={text.selection}>
      <div class="line">
        <label class="check">
          <input
            type="checkbox"
            checked={picked.length === orders.length}
            onChange={({ currentTarget }) =>
              onChoose(new Set(currentTarget.checked ? orders.map(({ id }) => id) : []))
            }
          />
          {text.chooseAll}
        </label>
        <span class="muted">{picked.length > 0 && text.chosenOf(picked.length)}</span>
        <Button
          icon="download"
          look="quiet"
          refusal={none}
          onClick={() => saveText("orders.csv", csvOf(columns, picked), "text/csv")}
        >
          {text.saveChosen}
        </Button>
        {isAdmin.value && picked.length > 0 && (
          <Menu
            label={text.changeStage}
            groups={[
              {
                items: ONE_CLICK_STEPS.map((step) => {
                  const fitting = readyFor(step, picked).length;
                  return {
                    label: text.step[step.id](fitting),
                    refusal: fitting === 0 ? text.notNext : undefined,
                    onChoose: () => setAsked(step),
                  };
                }),
              },
            ]}
          >
            {text.changeStage}
            <Icon name="down" />
          </Menu>
        )}
      </div>
      <Progress of={steps} />
      {asked && (
        <ConfirmDialog
          title={text.step[asked.id](readyFor(asked, picked).length)}
          verb={text.step[asked.id](readyFor(asked, picked).length)}
          // How far it is stands beside the table, and the page can be used meanwhile.
          onConfirm={async () => void record(asked)}
          onClose={() => setAsked(null)}
        >
          {text.stepWhat(readyFor(asked, picked).map(nameOf))}
        </ConfirmDialog>
      )}
    </section>
  );
}

function Progress({ of }: { of: Bulk }) {
  const state = of.state.value;
  return (
    <>
      {state && of.isRunning.value && (
        <progress max={state.all} value={state.done} aria-label={text.selection} />
      )}
      <p role="status">{state && inWords(state, of.isRunning.value)}</p>
      {state && state.failures.length > 0 && (
        <ul class="stack-tight">
          {state.failures.map(({ order, words }) => (
            <li key={order.id} class="field-error">
              {text.failed(nameOf(order), words)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function inWords({ step, done, all, failures }: BulkState, isRunning: boolean): string {
  return isRunning ? text.progress(done, all) : text.recorded(step.content, all - failures.length, all);
}

const nameOf = ({ name, orderNumber }: StepOrder): string => name ?? orderNumber;
