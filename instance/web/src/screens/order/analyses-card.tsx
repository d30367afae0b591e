import { useLive } from "../../api/live";
import { useResource } from "../../api/resource";
import { ProblemNotice } from "../../parts/problem";
import { Time } from "../../parts/time";
import { isAdmin } from "../../session";
import { text } from "../../text/en/order";
import { RunChip } from "./run-chip";
import { type Order, type Run, readRuns } from "./state";

interface Found {
  runs: Run[];
  total: number;
}

const NONE: Found = { runs: [], total: 0 };

/** How many analyses an order has, and how the newest one stands. */
export function AnalysesCard({ order, address }: { order: Order; address: string }) {
  const isDraft = order.status === "DRAFT";
  const newest = useResource(
    async (signal) => (isDraft ? NONE : await readRuns(order.id, 1, signal)),
    [order.id, isDraft],
  );
  useLive(isDraft ? [] : [`order:${order.id}`], () => void newest.reload());
  const found = newest.data.value;
  const problem = newest.problem.value;
  return (
    <section class="card stack-tight" aria-labelledby="order-analyses">
      <h2 id="order-analyses">
        <a href={`${address}?tab=analyses`}>{text.analysesTitle}</a>
      </h2>
      {problem && <ProblemNotice problem={problem} onTryAgain={() => void newest.reload()} />}
      {found?.total === 0 && <p class="muted">{isAdmin.value ? text.noAnalysesAdmin : text.noAnalyses}</p>}
      {found?.runs.map((run) => (
        <div key={run.id} class="stack-tight">
          <p class="spread">
            <span>{text.countAnalyses(found.total)}</span>
            <RunChip run={run} />
          </p>
          <p class="muted">
            {run.pipelineName}, <Time at={run.completedAt ?? run.updatedAt} />
          </p>
        </div>
      ))}
    </section>
  );
}
