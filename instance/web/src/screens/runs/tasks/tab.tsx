import { useEffect, useMemo, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useLive } from "../../../api/live";
import { addressWith } from "../../../parts/address";
import { Empty } from "../../../parts/empty";
import { Gantt } from "../../../parts/gantt";
import { Loaded } from "../../../parts/loading";
import { SearchField } from "../../../parts/search-field";
import { Table } from "../../../parts/table";
import { text as common } from "../../../text/en/common";
import { tasksText as text } from "../../../text/en/runs";
import { isActive } from "../state";
import type { TabProps } from "../tabs";
import { barOf, labelOf, named, secondsTaken, sorted, stateOf, type Task } from "./book";
import { columnsOf } from "./columns";
import { TaskDialog } from "./dialog";
import { useTasks } from "./state";

/** How often open bars grow. */
const GROW_MS = 2000;

/** The tasks of a run along time, and as a table. */
export function Tab({ run }: TabProps) {
  const { path, query, route } = useLocation();
  const list = useTasks(run.id);
  const [now, setNow] = useState(() => Date.now() / 1000);
  const isGoingOn = isActive(run);
  useLive(
    [`run:${run.id}`],
    () => void list.reload(),
    () => isGoingOn,
  );
  useEffect(() => {
    if (!isGoingOn) return;
    const timer = setInterval(() => document.hidden || setNow(Date.now() / 1000), GROW_MS);
    return () => clearInterval(timer);
  }, [isGoingOn]);
  const found = list.data.value?.tasks ?? [];
  const words = query.q ?? "";
  const sort = query.sort ?? "state";
  const end = isGoingOn ? now : 0;
  const shown = useMemo(
    () => sorted(named(found, words), sort, !isGoingOn, end),
    [found, words, sort, isGoingOn, end],
  );
  const bars = useMemo(() => shown.map((task) => barOf(task, !isGoingOn)), [shown, isGoingOn]);
  const go = (changes: Record<string, string | null>): void =>
    route(addressWith(path, query, { tab: "tasks", ...changes }), true);
  const open = (id: string): void => go({ task: id });
  const opened = found.find(({ id }) => id === query.task);

  return (
    <Loaded of={list}>
      {({ tasks, total }) =>
        tasks.length === 0 ? (
          <Empty title={text.none}>{isGoingOn ? text.noneYet : text.noneWhy}</Empty>
        ) : (
          <div class="stack">
            <Gantt
              label={text.timeline}
              bars={bars}
              now={isGoingOn ? now : Date.parse(run.completedAt ?? run.updatedAt) / 1000}
              describe={({ id }) =>
                describe(
                  found.find((task) => task.id === id),
                  !isGoingOn,
                  now,
                )
              }
              onOpen={({ id }) => open(id)}
            />
            <div class="line">
              <SearchField
                name="task-search"
                label={text.search}
                placeholder={text.searchHint}
                words={words}
                onSearch={(q) => go({ q })}
              />
              <span class="muted" role="status">
                {common.rows(shown.length, total)}
                {tasks.length < total && ` ${text.notAll}`}
              </span>
            </div>
            <Table
              label={text.tasks}
              columns={columnsOf(run, now, (id) => addressWith(path, query, { tab: "tasks", task: id }))}
              rows={shown}
              rowId={({ id }) => id}
              sort={sort}
              onSort={(by) => go({ sort: by })}
            />
            {opened && <TaskDialog run={run} task={opened} now={now} onClose={() => go({ task: null })} />}
          </div>
        )
      }
    </Loaded>
  );
}

/** A task in a sentence, for the cursor of the timeline. */
function describe(task: Task | undefined, isRunOver: boolean, now: number): string {
  if (!task) return "";
  return text.sentence(
    `${task.process} · ${labelOf(task)}`,
    text.state[stateOf(task, isRunOver)],
    secondsTaken(task, now),
    task.exit,
  );
}
