import { StartButton } from "../../../analyses/start-button";
import { useLive } from "../../../api/live";
import { useResource } from "../../../api/resource";
import { DemoNote } from "../../../parts/demo-note";
import { Empty } from "../../../parts/empty";
import { Loaded } from "../../../parts/loading";
import { readIsReleased } from "../../../results/state";
import { isAdmin } from "../../../session";
import { text } from "../../../text/en/order";
import { type Order, type Run, readRuns } from "../state";
import type { TabProps } from "../tabs";
import { CompareRuns } from "./compare";
import { RunCard } from "./run-card";

const MOST_RUNS = 200;

/** The feed takes so many topics at once, and more runs of an order do not run at once. */
const MOST_FOLLOWED = 10;

interface Found {
  runs: Run[];
  /** Whether the researcher has the files of the order already. */
  isReleased: boolean;
}

async function readAll(order: Order, signal: AbortSignal): Promise<Found> {
  const [{ runs }, isReleased] = await Promise.all([
    readRuns(order.id, MOST_RUNS, signal),
    isAdmin.value && order.status !== "DRAFT" ? readIsReleased(order.id, signal) : false,
  ]);
  return { runs, isReleased };
}

const isActive = ({ status }: Run): boolean =>
  status === "pending" || status === "queued" || status === "running";

/** The analyses of an order by pipeline: all for the facility, the selected results for its researcher. */
export function Tab({ order, onChange }: TabProps) {
  const found = useResource((signal) => readAll(order, signal), [order.id, order.status]);
  const active = (found.data.value?.runs ?? []).filter(isActive).slice(0, MOST_FOLLOWED);
  useLive(
    [`order:${order.id}`, ...active.map(({ id }) => `run:${id}`)],
    () => void found.reload(),
    () => active.length > 0,
  );
  const changed = async (): Promise<void> => {
    await Promise.all([found.reload(), onChange()]);
  };
  const start = isAdmin.value && order.status !== "DRAFT" && (
    <StartButton
      target={{ kind: "order", id: order.id, name: order.name ?? order.orderNumber }}
      onChange={() => void found.reload()}
    />
  );
  return (
    <Loaded of={found}>
      {({ runs, isReleased }) =>
        runs.length === 0 ? (
          <div class="stack">
            <DemoNote />
            <Empty title={isAdmin.value ? text.noAnalysesAdmin : text.noAnalyses} action={start}>
              {isAdmin.value ? text.noAnalysesAdminWhy : text.noAnalysesWhy}
            </Empty>
          </div>
        ) : (
          <div class="stack">
            {isAdmin.value && (
              <div class="spread">
                <span>{text.countAnalyses(runs.length)}</span>
                {start}
              </div>
            )}
            <DemoNote />
            {[...Map.groupBy(runs, ({ pipelineId }) => pipelineId)].map(([pipelineId, of]) => (
              <OfPipeline key={pipelineId} runs={of} isReleased={isReleased} onChange={changed} />
            ))}
          </div>
        )
      }
    </Loaded>
  );
}

interface OfPipelineProps {
  runs: Run[];
  isReleased: boolean;
  onChange: () => Promise<void>;
}

/** The runs of one pipeline: one of them may be the result. */
function OfPipeline({ runs, isReleased, onChange }: OfPipelineProps) {
  const id = `analyses-${runs[0]?.pipelineId}`;
  return (
    <section class="stack-tight" aria-labelledby={id}>
      <h2 id={id}>{runs[0]?.pipelineName}</h2>
      {isAdmin.value && runs.length > 1 && <CompareRuns runs={runs} />}
      <ul class="stack-tight">
        {runs.map((run) => (
          <RunCard key={run.id} run={run} runs={runs} isReleased={isReleased} onChange={onChange} />
        ))}
      </ul>
    </section>
  );
}
