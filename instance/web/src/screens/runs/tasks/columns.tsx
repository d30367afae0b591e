import { Chip } from "../../../parts/chip";
import type { Column } from "../../../parts/table";
import { tasksText as text } from "../../../text/en/runs";
import { size } from "../../../text/format";
import { isActive, type Run } from "../state";
import { labelOf, secondsTaken, stateOf, type Task } from "./book";

/** The columns of the table of tasks; samples are known by what their tasks are tagged with. */
export function columnsOf(run: Run, now: number, addressOf: (id: string) => string): Column<Task>[] {
  const isOver = !isActive(run);
  const samples = new Map(
    run.samples.map(({ sampleId, sampleAlias }) => [sampleId, sampleAlias ?? sampleId]),
  );
  const sampleOf = ({ tag }: Task): string => {
    const code = tag?.split(/[,\s]+/).find((word) => samples.has(word));
    return code === undefined ? "" : (samples.get(code) ?? "");
  };
  return [
    {
      id: "task",
      label: text.process,
      sort: "task",
      cell: (task) => (
        <a class="task-name" href={addressOf(task.id)} aria-label={`${task.process} ${labelOf(task)}`}>
          {task.process}
        </a>
      ),
    },
    {
      id: "tag",
      label: text.tag,
      sort: "tag",
      cell: (task) => (
        <span class="task-name" title={labelOf(task)}>
          {task.tag ?? task.name ?? ""}
        </span>
      ),
      isMinor: true,
    },
    { id: "sample", label: text.sample, cell: sampleOf, isMinor: true },
    {
      id: "state",
      label: text.stateLabel,
      sort: "state",
      cell: (task) => {
        const state = stateOf(task, isOver);
        return <Chip tone={text.tone[state]}>{text.state[state]}</Chip>;
      },
    },
    {
      id: "attempt",
      label: text.attempt,
      sort: "attempt",
      cell: ({ attempt }) => attempt,
      isNumber: true,
      isMinor: true,
    },
    {
      id: "exit",
      label: text.exit,
      sort: "exit",
      cell: ({ exit }) => exit ?? "",
      isNumber: true,
      isMinor: true,
    },
    {
      id: "duration",
      label: text.duration,
      sort: "duration",
      cell: (task) => text.time(secondsTaken(task, now)),
      isNumber: true,
    },
    {
      id: "cpu",
      label: text.cpu,
      sort: "cpu",
      cell: ({ cpuPercent }) => text.percent(cpuPercent),
      isNumber: true,
      isMinor: true,
    },
    {
      id: "memory",
      label: text.memory,
      sort: "memory",
      cell: ({ peakRssBytes }) => (peakRssBytes === null ? "" : size(peakRssBytes)),
      isNumber: true,
      isMinor: true,
    },
  ];
}
