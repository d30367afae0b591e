import "../../style/screens/catalog.css";
import { useSignal } from "@preact/signals";
import { useAction, useList } from "../../api/resource";
import { Button } from "../../parts/button";
import { DemoNote } from "../../parts/demo-note";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { PageHead } from "../../parts/page-head";
import { Time } from "../../parts/time";
import { RegistryProblem } from "../../registry-updates/registry-problem";
import { demoRefusal } from "../../session";
import { catalogText as text } from "../../text/en/catalog";
import { updateText } from "../../text/en/registry-updates";
import { Entries } from "./entries";
import { ResetButton, Source } from "./source";
import { apply, type Catalog, look, readCatalog } from "./state";
import { Applied, type Found, Offered } from "./update";

/** What the facility can sequence with: its entries, where they come from, and what the registry would change. */
export function Screen() {
  const catalog = useList(readCatalog, []);
  const found = useSignal<Found | null>(null);
  const said = useSignal("");
  const looking = useAction(async () => {
    found.value = { update: await look(), isApplied: false };
    await catalog.reload();
  });
  const applyFound = async (): Promise<void> => {
    found.value = { update: await apply(), isApplied: true };
    await catalog.reload();
  };
  const changed = async (words: string): Promise<void> => {
    await catalog.reload();
    said.value = words;
  };
  const problem = looking.problem.value;
  const known = catalog.data.value;
  const lookButton = (
    <Button
      icon="again"
      refusal={demoRefusal.value}
      isBusy={looking.isRunning.value}
      onClick={() => void looking.run()}
    >
      {updateText.look}
    </Button>
  );
  return (
    <div class="stack">
      <PageHead title={text.title} facts={known ? facts(known) : undefined} actions={lookButton} />
      <DemoNote />
      {known?.isStale && (
        <p class="notice notice-wait">
          {text.stale}. {text.staleWhy}
        </p>
      )}
      {problem && <RegistryProblem problem={problem} onTryAgain={() => void looking.run()} />}
      <div role="status">{found.value && !problem && <Result found={found.value} />}</div>
      {found.value && !found.value.isApplied && !problem && (
        <Offered update={found.value.update} onApply={applyFound} onLeave={() => (found.value = null)} />
      )}
      <p class={said.value ? "notice notice-ok" : "unseen"} role="status">
        {said.value}
      </p>
      <Loaded of={catalog}>
        {(it) => (
          <>
            {it.isStored ? <Entries catalog={it} onChange={changed} /> : <NotStored onChange={changed} />}
            <Source catalog={it} onChange={changed} />
          </>
        )}
      </Loaded>
    </div>
  );
}

const facts = ({ config, isStored }: Catalog) => [
  isStored && text.version(config.version),
  config.lastSyncedAt === null ? (
    text.neverSynced
  ) : (
    <>
      {text.synced} <Time at={config.lastSyncedAt} />
    </>
  ),
];

function Result({ found: { update, isApplied } }: { found: Found }) {
  if (isApplied) return <Applied update={update} />;
  if (update.hasUpdates) return <p class="unseen">{text.update}</p>;
  return (
    <p class="notice notice-ok">
      {text.upToDate}. {text.upToDateWhy(update.remoteVersion)}
    </p>
  );
}

function NotStored({ onChange }: { onChange: (words: string) => Promise<void> }) {
  return (
    <Empty
      title={text.notStored}
      action={<ResetButton verb={text.takeRelease} catalog={null} onChange={onChange} />}
    >
      {text.notStoredWhy}
    </Empty>
  );
}
