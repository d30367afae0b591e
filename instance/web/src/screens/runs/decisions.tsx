import { useLive } from "../../api/live";
import { useResource } from "../../api/resource";
import { LinkButton } from "../../parts/button";
import { DemoNote } from "../../parts/demo-note";
import { Loaded } from "../../parts/loading";
import { PromoteButton } from "../../results/promote-button";
import { SelectButton } from "../../results/select-button";
import { readStakes } from "../../results/state";
import { demoRefusal } from "../../session";
import { resultText as text } from "../../text/en/results";
import type { Run } from "./state";

interface Props {
  run: Run;
  onChange: () => Promise<void>;
}

/** What the facility decides of a run that is completed, with what each decision changes. */
export function Decisions({ run, onChange }: Props) {
  const isOver = run.status === "completed";
  const stakes = useResource(
    async (signal) => (isOver ? await readStakes(run, signal) : null),
    [run.id, isOver, run.isSelectedFinal],
  );
  useLive(isOver && run.orderId ? [`order:${run.orderId}`] : [], () => void stakes.reload());
  if (!isOver) return null;
  return (
    <section class="card stack-tight" aria-label={text.decisions}>
      <DemoNote />
      <Loaded of={stakes}>
        {(found) =>
          found && (
            <div class="decisions">
              <SelectButton
                run={run}
                stakes={found}
                look="main"
                onChange={async () => {
                  await Promise.all([onChange(), stakes.reload()]);
                }}
              />
              {run.order && (
                <div class="line">
                  <PromoteButton run={run} stakes={found} onChange={onChange} />
                  <LinkButton
                    href={`/orders/${run.order.orderNumber}?tab=delivery`}
                    look={run.isSelectedFinal && demoRefusal.value === null ? "main" : "plain"}
                  >
                    {text.release}
                  </LinkButton>
                </div>
              )}
            </div>
          )
        }
      </Loaded>
    </section>
  );
}
