import { useEffect, useRef } from "preact/hooks";
import type { Problem } from "../api/problem";
import { text } from "../text/en/common";
import { fieldId } from "./field";
import { RequestId } from "./problem";

interface Props {
  problem: Problem | null;
  /** What people call a field, by its path in the API; a path without a name stays in words. */
  labels: Readonly<Record<string, string>>;
}

/** What a form was refused for. It takes the focus and leads to each field; what has no field stands here. */
export function ErrorSummary({ problem, labels }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem) box.current?.focus();
  }, [problem]);
  if (!problem) return null;
  const wait = problem.retryAfterSeconds;
  return (
    <div class="notice notice-bad" role="alert" tabIndex={-1} ref={box}>
      <p class="notice-title">
        {problem.details.length > 0 ? text.fixThese(problem.details.length) : problem.message}
      </p>
      {wait !== null && <p>{text.comeBackIn(wait)}</p>}
      {problem.details.length === 0 && <RequestId problem={problem} />}
      {problem.details.length > 0 && (
        <ul class="error-list">
          {problem.details.map(({ path, reason }) => {
            const label = path === null ? undefined : labels[path];
            return (
              <li key={`${path} ${reason}`}>
                {path !== null && label ? (
                  <a href={`#${fieldId(path)}`} onClick={(event) => goTo(event, path)}>
                    {label}: {reason}
                  </a>
                ) : (
                  `${path === null ? "" : `${path}: `}${reason}`
                )}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

function goTo(event: MouseEvent, path: string): void {
  event.preventDefault();
  document.getElementById(fieldId(path))?.focus();
}
