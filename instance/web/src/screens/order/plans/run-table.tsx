import { type Column, Table } from "../../../parts/table";
import { Time } from "../../../parts/time";
import { plansText as text } from "../../../text/en/plans";
import { calendarDay, count } from "../../../text/format";
import { parameterOf } from "./parameters";
import type { Run } from "./state";

interface Props {
  runs: readonly Run[];
  current: Run;
  /** The address at which a run is open. */
  addressOf: (runId: string) => string;
}

/** The runs of an order; the open one is marked. */
export function RunTable({ runs, current, addressOf }: Props) {
  const columns: Column<Run>[] = [
    {
      id: "run",
      label: text.run,
      cell: (run) => (
        <a
          class="mono"
          href={addressOf(run.runId)}
          aria-current={run.id === current.id ? "true" : undefined}
          title={run.runName ?? undefined}
        >
          {run.runId}
        </a>
      ),
    },
    { id: "instrument", label: text.instrument, cell: ({ instrument }) => instrument ?? "–" },
    {
      id: "flowCell",
      label: text.flowCell,
      isMinor: true,
      cell: (run) => <span class="mono">{parameterOf(run, "flow_cell_id") || "–"}</span>,
    },
    {
      id: "date",
      label: text.date,
      isMinor: true,
      cell: ({ runDate }) => (runDate === null ? "–" : calendarDay(runDate)),
    },
    { id: "samples", label: text.samplesIn, isNumber: true, cell: ({ counts }) => count(counts.samples) },
    {
      id: "reads",
      label: text.reads,
      isNumber: true,
      isMinor: true,
      cell: ({ counts }) => count(counts.reads),
    },
    {
      id: "changed",
      label: text.changed,
      isMinor: true,
      cell: ({ updatedAt, savedBy }) => (
        <>
          <Time at={updatedAt} />{" "}
          {savedBy && <span class="muted">{text.by(`${savedBy.firstName} ${savedBy.lastName}`)}</span>}
        </>
      ),
    },
  ];
  return (
    <Table
      label={text.runs}
      columns={columns}
      rows={runs}
      rowId={({ id }) => id}
      selected={new Set([current.id])}
    />
  );
}
