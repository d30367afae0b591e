import "../../style/screens/runs.css";
import { useEffect } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso";
import { useLive } from "../../api/live";
import { type Resource, useResource } from "../../api/resource";
import { addressWith } from "../../parts/address";
import { Loaded } from "../../parts/loading";
import { Tabs } from "../../parts/tabs";
import { tab } from "../../screen";
import { isAdmin } from "../../session";
import { text } from "../../text/en/runs";
import { Decisions } from "./decisions";
import { RunHead } from "./head";
import { isActive, type Run, readRun } from "./state";
import { ownTabs, RunTab, tabOf } from "./tabs";

const SequencedReads = tab<{ run: Run }>(() => import("./sequenced"));

export function Screen() {
  const { params } = useRoute();
  const address = params.number ?? "";
  const run = useResource((signal) => readRun(address, signal), [address]);
  return (
    <Loaded of={run} pageTitle={address}>
      {(found) => <RunPage key={found.id} run={found} of={run} address={address} />}
    </Loaded>
  );
}

function RunPage({ run, of, address }: { run: Run; of: Resource<Run>; address: string }) {
  const { path, query, route } = useLocation();
  const current = tabOf(query.tab);
  useEffect(() => {
    // What people say aloud is the number: it replaces the id, and the number that a run had before it began.
    if (address !== run.runNumber) route(addressWith(`/runs/${run.runNumber}`, query), true);
  }, [address, run.runNumber]);
  useLive(
    [`run:${run.id}`],
    () => void of.reload(),
    () => isActive(run),
  );
  const tabs = ownTabs().map((id) => ({
    id,
    label: text.tabs[id],
    href: addressWith(path, {}, { tab: id === "summary" ? null : id }),
  }));
  return (
    <div class="stack">
      <RunHead run={run} of={of} onChange={of.reload} />
      {isAdmin.value && <Decisions run={run} onChange={of.reload} />}
      {run.sequencingRun && run.status === "completed" && <SequencedReads run={run} />}
      <Tabs label={text.tablist} tabs={tabs} current={current}>
        <RunTab id={current} run={run} onChange={of.reload} />
      </Tabs>
    </div>
  );
}
