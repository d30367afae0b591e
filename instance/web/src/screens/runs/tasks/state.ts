import { useMemo } from "preact/hooks";
import { api, given } from "../../../api/client";
import { type Resource, useResource } from "../../../api/resource";
import type { components } from "../../../api/schema";
import { MOST_TASKS, type Task, TaskBook } from "./book";

export interface TaskList {
  tasks: Task[];
  total: number;
}

export type TaskLogs = components["schemas"]["instance.pipeline-run-task-log"];

const PAGE = 5000;

/** The tasks of a run; a later read brings only what has changed. */
export function useTasks(runId: string): Resource<TaskList> {
  const book = useMemo(() => new TaskBook(), [runId]);
  return useResource(
    async (signal) => {
      for (;;) {
        const query = { since: book.cursor, limit: PAGE };
        const params = { path: { run_id: runId }, query };
        const page = await given(api.GET("/api/pipelines/runs/{run_id}/tasks", { params, signal }));
        book.take(page);
        const tasks = book.list();
        if (!page.hasMore || tasks.length >= MOST_TASKS) return { tasks, total: page.total };
      }
    },
    [runId],
  );
}

export async function readTaskLogs(runId: string, taskId: string, signal: AbortSignal): Promise<TaskLogs> {
  const path = { run_id: runId, task_id: taskId };
  return given(api.GET("/api/pipelines/runs/{run_id}/tasks/{task_id}/log", { params: { path }, signal }));
}
