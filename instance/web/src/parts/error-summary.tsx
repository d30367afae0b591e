import { useEffect, useRef } from "preact/hooks";
import { entryOf, type Problem } from "../api/problem";
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
            const field = fieldOf(path, labels);
            return (
              <li key={`${path} ${reason}`}>
                {field ? (
                  <a href={`#${fieldId(field.name)}`} onClick={(event) => goTo(event, field.name)}>
                    {field.label}: {reason}
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

/** The field of a path, and what it is called; a list may be one field, whose entries are counted. */
function fieldOf(path: string | null, labels: Props["labels"]): { name: string; label: string } | null {
  if (path === null) return null;
  const label = labels[path];
  if (label) return { name: path, label };
  const entry = entryOf(path);
  const whole = entry && labels[entry.list];
  return whole ? { name: entry.list, label: text.entry(whole, entry.number) } : null;
}

function goTo(event: MouseEvent, path: string): void {
  event.preventDefault();
  document.getElementById(fieldId(path))?.focus();
}
