import { useResource } from "../../api/resource";
import { Chip, type Tone } from "../../parts/chip";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { type Column, Table } from "../../parts/table";
import { Time } from "../../parts/time";
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

/** The analyses of an order: all for the facility, the selected results for its researcher. */
export function AnalysesTab({ order }: { order: Order }) {
  const runs = useResource((signal) => readRuns(order.id, signal), [order.id]);
  return (
    <Loaded of={runs}>
      {(found) =>
        found.length === 0 ? (
          <Empty title={isAdmin.value ? text.noAnalysesAdmin : text.noAnalyses}>
            {isAdmin.value ? text.noAnalysesAdminWhy : text.noAnalysesWhy}
          </Empty>
        ) : (
          <Table label={text.analysesTitle} columns={COLUMNS} rows={found} rowId={(run) => run.id} />
        )
      }
    </Loaded>
  );
}

const COLUMNS: Column<Run>[] = [
  { id: "number", label: text.run, cell: (run) => <a href={`/runs/${run.runNumber}`}>{run.runNumber}</a> },
  { id: "pipeline", label: text.pipeline, cell: (run) => `${run.pipelineName} ${run.pipelineVersion}` },
  {
    id: "state",
    label: text.state,
    cell: (run) => (
      <Chip tone={TONES[run.status]}>
        {run.status === "running" ? text.runningPart(run.progress) : text.runState[run.status]}
      </Chip>
    ),
  },
  {
    id: "result",
    label: text.result,
    cell: (run) => (run.isSelectedFinal ? <Chip tone="ok">{text.selected}</Chip> : "–"),
  },
  {
    id: "at",
    label: text.lastChange,
    cell: (run) => <Time at={run.completedAt ?? run.updatedAt} />,
    isMinor: true,
  },
];
