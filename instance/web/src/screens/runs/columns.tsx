import { Chip } from "../../parts/chip";
import type { SavedColumn } from "../../parts/saved-list";
import { Time } from "../../parts/time";
import { runText, listText as text } from "../../text/en/runs";
import type { ListedRun } from "./state";
import { personOf, RunChip, targetOf } from "./words";

export type RunColumn = SavedColumn<ListedRun>;

/** The columns of the list; who started a run matters to admins only. */
export function columnsFor(admin: boolean): RunColumn[] {
  const columns: (RunColumn | false)[] = [
    {
      id: "number",
      label: text.number,
      cell: ({ runNumber }) => (
        <a class="mono" href={`/runs/${runNumber}`}>
          {runNumber}
        </a>
      ),
      saved: ({ runNumber }) => runNumber,
    },
    {
      id: "state",
      label: text.state,
      cell: (run) => (
        <span class="line">
          <RunChip run={run} />
          {run.isSelectedFinal && <Chip tone="ok">{runText.selected}</Chip>}
        </span>
      ),
      saved: ({ status }) => runText.state[status],
    },
    {
      id: "pipeline",
      label: text.pipeline,
      cell: ({ pipelineName, pipelineVersion }) => runText.by(pipelineName, pipelineVersion),
      isMinor: true,
      saved: ({ pipelineName, pipelineVersion }) => runText.by(pipelineName, pipelineVersion),
    },
    {
      id: "target",
      label: text.target,
      cell: (run) => {
        const target = targetOf(run);
        return (
          target && (
            <a href={target.href} title={target.label}>
              {target.label}
            </a>
          )
        );
      },
      isLong: true,
      isMinor: true,
      saved: (run) => targetOf(run)?.label ?? "",
    },
    admin && {
      id: "who",
      label: text.who,
      cell: (run) => (
        <span class="person" title={personOf(run)}>
          {personOf(run)}
        </span>
      ),
      isMinor: true,
      isExtra: true,
      saved: personOf,
    },
    {
      id: "made",
      label: text.begun,
      cell: ({ createdAt }) => <Time at={createdAt} />,
      isMinor: true,
      saved: ({ createdAt }) => createdAt,
    },
    {
      id: "ended",
      label: text.ended,
      cell: ({ completedAt }) => completedAt && <Time at={completedAt} />,
      isMinor: true,
      saved: ({ completedAt }) => completedAt ?? "",
    },
  ];
  return columns.filter((column) => column !== false);
}
