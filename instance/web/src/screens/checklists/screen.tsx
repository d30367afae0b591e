import { useSignal } from "@preact/signals";
import { useAction, useList } from "../../api/resource";
import { Button } from "../../parts/button";
import { Copy } from "../../parts/copy";
import { DemoNote } from "../../parts/demo-note";
import { Loaded } from "../../parts/loading";
import { PageHead } from "../../parts/page-head";
import { Time } from "../../parts/time";
import { RegistryProblem } from "../../registry-updates/registry-problem";
import { demoRefusal } from "../../session";
import { checklistText as text } from "../../text/en/checklists";
import { updateText } from "../../text/en/registry-updates";
import { ChecklistTable } from "./checklist-table";
import { type Applied, look, type Overview, readOverview, type Update } from "./state";
import { UpdateFound } from "./update-found";
import { Versions } from "./versions";

/** The checklists that studies are described by, and what the registry has that is newer. */
export function Screen() {
  const overview = useList(readOverview, []);
  const found = useSignal<Update | null>(null);
  const applied = useSignal<Applied | null>(null);
  const looking = useAction(async () => {
    applied.value = null;
    found.value = null;
    found.value = await look();
    await overview.reload();
  });
  const problem = looking.problem.value;
  const known = overview.data.value;
  const afterApply = async (done: Applied): Promise<void> => {
    applied.value = done;
    found.value = null;
    await overview.reload();
  };
  return (
    <div class="stack">
      <PageHead
        title={text.title}
        facts={known ? factsOf(known) : undefined}
        actions={
          <Button
            icon="again"
            refusal={demoRefusal.value}
            isBusy={looking.isRunning.value}
            onClick={() => void looking.run()}
          >
            {updateText.look}
          </Button>
        }
      />
      <p class="muted">{text.about}</p>
      <DemoNote />
      {problem && <RegistryProblem problem={problem} />}
      <div role="status">
        {applied.value && <Done of={applied.value} />}
        {found.value && <Newest of={found.value} />}
      </div>
      {found.value && known && (
        <UpdateFound of={found.value} listed={known.checklists} onApplied={afterApply} />
      )}
      <Loaded of={overview}>
        {(all) => (
          <>
            <ChecklistTable checklists={all.checklists} />
            <Versions of={all} onChange={overview.reload} />
          </>
        )}
      </Loaded>
    </div>
  );
}

const factsOf = ({ version, lastCheckedAt, sourceUrl }: Overview) => [
  text.activeVersion(version),
  lastCheckedAt === null ? (
    text.neverLooked
  ) : (
    <span key="looked">
      {text.lastLooked} <Time at={lastCheckedAt} />
    </span>
  ),
  <Copy key="source" value={sourceUrl} label={text.sourceOf} />,
];

function Newest({ of: { hasUpdates, currentVersion, remoteVersion } }: { of: Update }) {
  if (hasUpdates) return <p class="notice notice-wait">{text.isOut(remoteVersion)}</p>;
  if (remoteVersion === currentVersion) {
    return <p class="notice notice-ok">{text.isNewest(currentVersion)}</p>;
  }
  return <p class="notice notice-wait">{text.isOlder(remoteVersion, currentVersion)}</p>;
}

function Done({ of: { applied, hasUpdates, remoteVersion } }: { of: Applied }) {
  if (applied) return <p class="notice notice-ok">{text.applied(remoteVersion)}</p>;
  return <p class="notice notice-wait">{hasUpdates ? text.overtaken : text.nothingApplied}</p>;
}
