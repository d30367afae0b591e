import { useLive } from "../../api/live";
import { useResource } from "../../api/resource";
import { Chip, type Tone } from "../../parts/chip";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { previewOf, type Report } from "../../parts/report";
import { Reports } from "../../parts/reports";
import { Time } from "../../parts/time";
import { isPlace } from "../../place";
import { isAdmin } from "../../session";
import { text } from "../../text/en/order";
import { type Order, type Run, readRuns } from "./state";

const TONES: Record<Run["status"], Tone> = {
  pending: "wait",
  queued: "wait",
  running: "run",
  completed: "ok",
  failed: "bad",
  cancelled: "calm",
};

const MOST_RUNS = 200;

/** The state of a run, in a word. */
export function RunChip({ run }: { run: Run }) {
  return (
    <Chip tone={TONES[run.status]}>
      {run.status === "running" ? text.runningPart(run.progress) : text.runState[run.status]}
    </Chip>
  );
}

/** The analyses of an order: all for the facility, the selected results for its researcher. */
export function AnalysesTab({ order }: { order: Order }) {
  const runs = useResource((signal) => readRuns(order.id, MOST_RUNS, signal), [order.id]);
  useLive([`order:${order.id}`], () => void runs.reload());
  return (
    <Loaded of={runs}>
      {({ runs: found }) =>
        found.length === 0 ? (
          <Empty title={isAdmin.value ? text.noAnalysesAdmin : text.noAnalyses}>
            {isAdmin.value ? text.noAnalysesAdminWhy : text.noAnalysesWhy}
          </Empty>
        ) : (
          <ul class="stack">
            {found.map((run) => (
              <Analysis key={run.id} run={run} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function Analysis({ run }: { run: Run }) {
  const address = `/runs/${run.runNumber}`;
  const reports = reportsOf(run);
  return (
    <li class="card stack-tight">
      <div class="spread">
        <h2>
          {run.pipelineName} <span class="muted">{run.pipelineVersion}</span>
        </h2>
        <span class="line">
          {run.isSelectedFinal && <Chip tone="ok">{text.selected}</Chip>}
          <RunChip run={run} />
        </span>
      </div>
      <p class="muted line">
        {isPlace(address) ? (
          <a class="mono" href={address}>
            {run.runNumber}
          </a>
        ) : (
          <span class="mono">{run.runNumber}</span>
        )}
        <Time at={run.completedAt ?? run.updatedAt} />
      </p>
      {run.failure?.message && <p>{run.failure.message}</p>}
      {reports.length > 0 && <Reports reports={reports} />}
      {run.resultFilesOmittedCount > 0 && <p class="muted">{text.moreFiles(run.resultFilesOmittedCount)}</p>}
    </li>
  );
}

/** The files of a run that can be shown, the main one first. */
function reportsOf(run: Run): Report[] {
  return run.resultFiles
    .filter(({ previewable }) => previewable)
    .toSorted(
      (one, other) =>
        Number(other.id === run.primaryResultFile?.id) - Number(one.id === run.primaryResultFile?.id),
    )
    .map(({ id, name, path, size }) => ({
      id,
      name,
      kind: "",
      size,
      preview: previewOf(path),
      download: null,
    }));
}
