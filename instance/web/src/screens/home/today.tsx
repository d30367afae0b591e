import "../../style/screens/home.css";
import { useLive } from "../../api/live";
import { useResource } from "../../api/resource";
import { LiveStamp } from "../../parts/live-stamp";
import { Loaded } from "../../parts/loading";
import { PageHead } from "../../parts/page-head";
import { homeText as text } from "../../text/en/my-work";
import { Queue } from "./queue";
import { RunningNow } from "./running";
import { readOverview } from "./state";

/** What waits for the facility, and what is running. */
export function Screen() {
  const overview = useResource(readOverview, []);
  useLive(["overview"], () => void overview.reload());
  return (
    <div class="stack home">
      <PageHead title={text.today} aside={<LiveStamp of={[overview]} />} />
      <Loaded of={overview}>
        {(found) => (
          <div class="with-side">
            <Queue overview={found} onChange={overview.reload} />
            <RunningNow overview={found} />
          </div>
        )}
      </Loaded>
    </div>
  );
}
