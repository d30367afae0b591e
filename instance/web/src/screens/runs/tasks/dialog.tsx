import { Chip } from "../../../parts/chip";
import { Dialog } from "../../../parts/dialog";
import { Time } from "../../../parts/time";
import { tasksText as text } from "../../../text/en/runs";
import { size } from "../../../text/format";
import { isActive, type Run } from "../state";
import { labelOf, secondsTaken, stateOf, type Task } from "./book";
import { TaskLog } from "./log";

interface Props {
  run: Run;
  task: Task;
  now: number;
  onClose: () => void;
}

/** One task: how it went, and what its tool has written. */
export function TaskDialog({ run, task, now, onClose }: Props) {
  const state = stateOf(task, !isActive(run));
  const facts: [string, preact.ComponentChildren][] = [
    [text.attempt, task.attempt],
    [text.exit, task.exit],
    [text.duration, text.time(secondsTaken(task, now))],
    [text.submitted, task.submittedAt && <Time at={task.submittedAt} />],
    [text.started, task.startedAt && <Time at={task.startedAt} />],
    [text.ended, task.completedAt && <Time at={task.completedAt} />],
    [text.cpu, text.percent(task.cpuPercent)],
    [text.memory, task.peakRssBytes === null ? null : size(task.peakRssBytes)],
  ];
  return (
    <Dialog title={`${task.process} ${labelOf(task)}`} onClose={onClose} isDrawer>
      <div class="stack">
        <p>
          <Chip tone={text.tone[state]}>{text.state[state]}</Chip>
        </p>
        <dl class="run-values">
          {facts
            .filter(([, value]) => value !== null && value !== "")
            .map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
        </dl>
        <TaskLog runId={run.id} task={task} />
      </div>
    </Dialog>
  );
}
