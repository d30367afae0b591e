import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { OUTLINE_AFTER_MS, type Resource, SLOW_AFTER_MS } from "../api/resource";
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

/** What is waited for and is no resource: nothing for 150 ms, then an outline, after 10 s a sentence with it. */
export function Waiting({ lines }: { lines?: number }) {
  const [shown, setShown] = useState<"nothing" | "outline" | "slow">("nothing");
  useEffect(() => {
    const outline = setTimeout(() => setShown("outline"), OUTLINE_AFTER_MS);
    const slow = setTimeout(() => setShown("slow"), SLOW_AFTER_MS);
    return () => {
      clearTimeout(outline);
      clearTimeout(slow);
    };
  }, []);
  return (
    <>
      {shown === "slow" && <p class="muted">{text.slow}</p>}
      {shown !== "nothing" && <Outline {...(lines && { lines })} />}
    </>
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
