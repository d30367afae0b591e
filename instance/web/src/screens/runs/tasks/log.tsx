import { useResource } from "../../../api/resource";
import { Outline } from "../../../parts/loading";
import { ProblemNotice } from "../../../parts/problem";
import { tasksText as text } from "../../../text/en/runs";
import { size } from "../../../text/format";
import type { Task } from "./book";
import { readTaskLogs } from "./state";

/** What the tool of a task has written. */
export function TaskLog({ runId, task }: { runId: string; task: Pick<Task, "id" | "status"> }) {
  const logs = useResource((signal) => readTaskLogs(runId, task.id, signal), [runId, task.id, task.status]);
  const problem = logs.problem.value;
  const found = logs.data.value;
  if (problem?.status === 404) return <p class="muted">{problem.message}.</p>;
  if (problem) return <ProblemNotice problem={problem} onTryAgain={() => void logs.reload()} />;
  if (found === null) return logs.waiting.value === "no" ? null : <Outline />;
  return (
    <>
      {found.logs.map(({ path, content, size: bytes, truncated }) => (
        <section key={path} class="stack-tight" aria-label={text.log(path)}>
          <h3 class="mono">{path}</h3>
          <p class="muted">
            {size(bytes)}
            {truncated && `, ${text.truncated}`}
          </p>
          <pre
            class="run-quote"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
            tabIndex={0}
          >
            {content}
          </pre>
        </section>
      ))}
    </>
  );
}
