import { useAction, useList } from "../../api/resource";
import { putAway, readFirstHour } from "../../first-hour/state";
import { progressOf, Steps } from "../../first-hour/steps";
import { Button } from "../../parts/button";
import { DemoNote } from "../../parts/demo-note";
import { Loaded } from "../../parts/loading";
import { PageHead } from "../../parts/page-head";
import { ProblemNotice } from "../../parts/problem";
import { isDemo } from "../../session";
import { firstHourText as text } from "../../text/en/first-hour";

/** The steps of the first hour at an address of their own, also when they are put away. Decision: G1051. */
export function Screen() {
  if (!isDemo.value) return <Shown />;
  return (
    <>
      <PageHead title={text.title} />
      <DemoNote />
    </>
  );
}

function Shown() {
  const hour = useList(readFirstHour, []);
  const moving = useAction(async (isPutAway: boolean) => hour.put(await putAway(isPutAway)));
  const known = hour.data.value;
  const problem = moving.problem.value;
  return (
    <div class="stack">
      <PageHead
        title={text.title}
        actions={
          known && (
            <Button isBusy={moving.isRunning.value} onClick={() => void moving.run(!known.putAway)}>
              {known.putAway ? text.bringBack : text.putAway}
            </Button>
          )
        }
      />
      {problem && <ProblemNotice problem={problem} />}
      <Loaded of={hour}>
        {(found) => (
          <>
            <p class="muted">
              {found.open === 0 ? text.over : text.why} {found.putAway ? text.isPutAway : text.putAwayWhat}
            </p>
            <section class="card stack" aria-label={text.title}>
              <h2>{progressOf(found)}</h2>
              <Steps of={hour} />
            </section>
          </>
        )}
      </Loaded>
    </div>
  );
}
