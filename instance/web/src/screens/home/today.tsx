import "../../style/screens/home.css";
import { useLive } from "../../api/live";
import { useResource } from "../../api/resource";
import { FirstHourPanel } from "../../first-hour/panel";
import { readFirstHour } from "../../first-hour/state";
import { LiveStamp } from "../../parts/live-stamp";
import { Loaded, Waiting } from "../../parts/loading";
import { PageHead } from "../../parts/page-head";
import { ProblemNotice } from "../../parts/problem";
import { isDemo } from "../../session";
import { homeText as text } from "../../text/en/my-work";
import { Queue } from "./queue";
import { RunningNow } from "./running";
import { readOverview } from "./state";

/** What waits for the facility, and what is running; above it what a new facility still needs. */
export function Screen() {
  const overview = useResource(readOverview, []);
  const isOwn = !isDemo.value;
  const hour = useResource((signal) => (isOwn ? readFirstHour(signal) : Promise.resolve(null)), []);
  useLive(["overview"], () => {
    void overview.reload();
    if (hour.data.value?.shown) void hour.reload();
  });
  const isHourKnown = !isOwn || hour.at.value !== null || hour.problem.value !== null;
  return (
    <div class="stack home">
      <PageHead title={text.today} aside={<LiveStamp of={[overview]} />} />
      {hour.problem.value && (
        <ProblemNotice problem={hour.problem.value} onTryAgain={() => void hour.reload()} />
      )}
      <FirstHourPanel of={hour} />
      {isHourKnown ? (
        <Loaded of={overview}>
          {(found) => (
            <div class="with-side">
              <Queue overview={found} onChange={overview.reload} />
              <RunningNow overview={found} />
            </div>
          )}
        </Loaded>
      ) : (
        <Waiting />
      )}
    </div>
  );
}
