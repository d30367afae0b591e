import { useResource } from "../../../api/resource";
import { isAdmin } from "../../../session";
import { failureText as text } from "../../../text/en/runs";
import { type Run, readEvidence, readFirstFailed } from "../state";
import { TaskLog } from "../tasks/log";

/** Why a run failed: what is likely, where it shows, and what to do. */
export function Failure({ run }: { run: Run }) {
  const failure = run.failure;
  if (!failure) return null;
  const { kind, message, hint, cause, causeLine, process, exitCode } = failure;
  const where = [
    text.kind[kind],
    process && text.inProcess(process),
    exitCode !== null && text.exitCode(exitCode),
  ].filter(Boolean);
  return (
    <>
      <section class="notice notice-bad" aria-labelledby="run-failure">
        <h2 class="notice-title" id="run-failure">
          {cause ? text.likely(text.cause[cause]) : text.failed}
        </h2>
        <p>{message}</p>
        {hint && <p>{hint}</p>}
        {causeLine && (
          <>
            <p class="muted">{text.causeLine}</p>
            <pre class="run-quote">{causeLine}</pre>
          </>
        )}
        <p class="muted">{where.join(", ")}</p>
      </section>
      {isAdmin.value && <Details run={run} />}
    </>
  );
}

/** What the first failed task has written, and how the log of the run ends. */
function Details({ run }: { run: Run }) {
  const first = useResource((signal) => readFirstFailed(run.id, signal), [run.id, run.status]);
  const evidence = useResource((signal) => readEvidence(run.id, signal), [run.id, run.status]);
  const task = first.data.value;
  const lines = evidence.data.value?.reason?.lastLines ?? [];
  const address = `/runs/${run.runNumber}`;
  return (
    <>
      {task && (
        <section class="card stack-tight" aria-labelledby="run-first-failed">
          <h2 id="run-first-failed">
            {text.firstFailed([task.process, task.tag ?? task.name].filter(Boolean).join(" "))}
          </h2>
          <TaskLog runId={run.id} task={task} />
          <p>
            <a href={`${address}?tab=tasks&task=${task.id}`}>{text.openTask}</a>
          </p>
        </section>
      )}
      {lines.length > 0 && (
        <section class="card stack-tight" aria-labelledby="run-last-lines">
          <h2 id="run-last-lines">{text.lastLines}</h2>
          <pre
            class="run-quote"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
            tabIndex={0}
          >
            {lines.join("\n")}
          </pre>
          <p>
            <a href={`${address}?tab=log`}>{text.wholeLog}</a>
          </p>
        </section>
      )}
    </>
  );
}
