import type { ComponentChildren, JSX } from "preact";
import type { Resource } from "../api/resource";
import { text } from "../text/en/common";
import { OutOfReach } from "./out-of-reach";
import { PageHead } from "./page-head";
import { ProblemNotice } from "./problem";

/** Lines where text will stand. */
export function Outline({ lines = 3 }: { lines?: number }) {
  return (
    <div class="outline" role="status">
      <span class="unseen">{text.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class="outline-line" aria-hidden="true" />
      ))}
    </div>
  );
}

interface LoadedProps<T> {
  of: Resource<T>;
  children: (data: T) => ComponentChildren;
  /** The page's own outline. */
  outline?: JSX.Element | undefined;
  /** It is the whole page, called so until it was read: what can't be seen replaces it. */
  pageTitle?: string | undefined;
}

/** Show what a resource holds: nothing for 150 ms, then the outline; the old answer stays while a new one is fetched. */
export function Loaded<T>({ of, children, outline, pageTitle }: LoadedProps<T>) {
  const data = of.data.value;
  const problem = of.problem.value;
  const waiting = of.waiting.value;
  if (problem?.isOutOfReach && pageTitle !== undefined) return <OutOfReach />;
  return (
    <>
      {data === null && pageTitle !== undefined && <PageHead title={pageTitle} isWaiting />}
      {problem && <ProblemNotice problem={problem} onTryAgain={() => void of.reload()} />}
      {waiting === "slow" && <p class="muted">{text.slow}</p>}
      {data !== null ? children(data) : waiting !== "no" && (outline ?? <Outline />)}
    </>
  );
}
