import { useRef } from "preact/hooks";
import { type Resource, useAction } from "../api/resource";
import { Button } from "../parts/button";
import { ProblemNotice } from "../parts/problem";
import { firstHourText as text } from "../text/en/first-hour";
import { type FirstHour, putAway } from "./state";
import { progressOf, Steps } from "./steps";

/** Above what waits, until everything needed is done or somebody puts it away; while one looks at it, it stays. */
export function FirstHourPanel({ of }: { of: Resource<FirstHour | null> }) {
  const wasShown = useRef(false);
  const leaving = useAction(async () => {
    const next = await putAway(true);
    document.querySelector<HTMLElement>("h1")?.focus();
    of.put(next);
  });
  const hour = of.data.value;
  if (hour?.shown) wasShown.current = true;
  if (hour === null || hour.putAway || !wasShown.current) return null;
  const problem = leaving.problem.value;
  return (
    <section class="card stack" aria-label={text.title}>
      <div class="spread">
        <h2>
          {text.title} <span class="muted">{progressOf(hour)}</span>
        </h2>
        <span class="line">
          <a href="/facility/first-hour">{text.allSteps}</a>
          <Button look="quiet" isBusy={leaving.isRunning.value} onClick={() => void leaving.run()}>
            {text.putAway}
          </Button>
        </span>
      </div>
      <p class="muted">{hour.open === 0 ? text.over : text.why}</p>
      {problem && <ProblemNotice problem={problem} />}
      <Steps of={of} />
    </section>
  );
}
