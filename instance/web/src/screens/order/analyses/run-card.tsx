import { tell } from "../../../analyses/start-actions";
import { deleteRun, startRun } from "../../../analyses/state";
import { useAction } from "../../../api/resource";
import { Button } from "../../../parts/button";
import { Chip } from "../../../parts/chip";
import { ProblemNotice } from "../../../parts/problem";
import { previewOf, type Report } from "../../../parts/report";
import { Reports } from "../../../parts/reports";
import { Time } from "../../../parts/time";
import { PromoteButton } from "../../../results/promote-button";
import { SelectButton } from "../../../results/select-button";
import { replacedBy } from "../../../results/state";
import { demoRefusal, isAdmin } from "../../../session";
import { startText, listText as text } from "../../../text/en/analyses";
import { text as orderText } from "../../../text/en/order";
import { RunChip } from "../run-chip";
import type { Run } from "../state";

interface Props {
  run: Run;
  /** All of the same pipeline. */
  runs: readonly Run[];
  isReleased: boolean;
  onChange: () => Promise<void>;
}

/** A run among the analyses of an order: how it is, what it has made, and what is decided of it. */
export function RunCard({ run, runs, isReleased, onChange }: Props) {
  const reports = reportsOf(run);
  const stakes = { replaced: replacedBy(run, runs), isReleased };
  return (
    <li class={run.isSelectedFinal ? "card stack-tight run-result" : "card stack-tight"}>
      <div class="spread">
        <h3>
          <a class="mono" href={`/runs/${run.runNumber}`}>
            {run.runNumber}
          </a>
        </h3>
        <span class="line">
          {run.isSelectedFinal && <Chip tone="ok">{orderText.selected}</Chip>}
          <RunChip run={run} />
        </span>
      </div>
      <p class="muted line">
        <span>{startText.by(run.pipelineVersion)}</span>
        <Time at={run.completedAt ?? run.updatedAt} />
      </p>
      {run.status === "running" && (
        <progress max={100} value={run.progress} aria-label={text.progress(run.runNumber)} />
      )}
      {run.queue && (
        <p>
          {text.queue(run.queue.position)} {run.queue.reason}
        </p>
      )}
      {run.failure?.message && <p class="run-failure">{run.failure.message}</p>}
      {reports.length > 0 && <Reports reports={reports} />}
      {run.resultFilesOmittedCount > 0 && (
        <p class="muted">{orderText.moreFiles(run.resultFilesOmittedCount)}</p>
      )}
      {isAdmin.value && run.status === "pending" && !run.queue && (
        <NotStarted run={run} onChange={onChange} />
      )}
      {isAdmin.value && run.status === "completed" && (
        <div class="decisions">
          <SelectButton run={run} stakes={stakes} onChange={onChange} />
          <div class="line">
            <PromoteButton run={run} stakes={stakes} onChange={onChange} />
          </div>
        </div>
      )}
    </li>
  );
}

/** A run that was made, and whose start was refused or never asked for. */
function NotStarted({ run, onChange }: Pick<Props, "run" | "onChange">) {
  const start = useAction(async () => {
    try {
      tell(await startRun(run.id));
    } finally {
      // Refused or not: somebody else may have started or deleted it.
      await onChange();
    }
  });
  const remove = useAction(async () => {
    await deleteRun(run.id);
    await onChange();
  });
  const problem = start.problem.value ?? remove.problem.value;
  const isBusy = start.isRunning.value || remove.isRunning.value;
  return (
    <>
      <div class="line">
        <span>{text.notStarted}</span>
        <Button
          label={startText.startAgain(run.runNumber)}
          isBusy={isBusy}
          refusal={demoRefusal.value}
          onClick={() => void start.run()}
        >
          {text.start}
        </Button>
        <Button
          label={startText.removeOf(run.runNumber)}
          isBusy={isBusy}
          refusal={demoRefusal.value}
          onClick={() => void remove.run()}
        >
          {startText.remove}
        </Button>
      </div>
      {problem && <ProblemNotice problem={problem} />}
    </>
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
