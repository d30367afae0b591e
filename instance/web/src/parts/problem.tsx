import type { Problem } from "../api/problem";
import { text } from "../text/en/common";
import { Button } from "./button";
import { Copy } from "./copy";

interface Props {
  problem: Problem;
  onTryAgain?: (() => void) | undefined;
}

/** What the service refused, in its own words, and what to do. */
export function ProblemNotice({ problem, onTryAgain }: Props) {
  return (
    <div class="notice notice-bad" role="alert">
      <p class="notice-title">{problem.message}</p>
      {problem.retryAfterSeconds !== null && <p>{text.comeBackIn(problem.retryAfterSeconds)}</p>}
      {problem.details.length > 0 && (
        <ul class="error-list">
          {problem.details.map(({ path, reason }) => (
            <li key={`${path} ${reason}`}>{path === null ? reason : `${path}: ${reason}`}</li>
          ))}
        </ul>
      )}
      <div class="line">
        {onTryAgain && <Button onClick={onTryAgain}>{text.tryAgain}</Button>}
        <RequestId problem={problem} />
      </div>
    </div>
  );
}

/** What to quote to whoever looks for the cause. */
export function RequestId({ problem }: { problem: Problem }) {
  return (
    problem.requestId && (
      <span class="muted line">
        {text.requestId} <Copy value={problem.requestId} label={text.requestId.toLowerCase()} />
      </span>
    )
  );
}
