import { failureText as text } from "../../../text/en/runs";
import type { Run } from "../state";

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
  );
}
