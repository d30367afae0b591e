import "../../style/parts/analyses.css";
import { useRoute } from "preact-iso";
import { isNoticed, VersionNotices } from "../../analyses/version-notices";
import { useResource } from "../../api/resource";
import { Chip } from "../../parts/chip";
import { DemoNote } from "../../parts/demo-note";
import { Loaded } from "../../parts/loading";
import { OutOfReach } from "../../parts/out-of-reach";
import { PageHead } from "../../parts/page-head";
import { pipelineText as text } from "../../text/en/pipelines";
import { Actions } from "./actions";
import { StateChip } from "./installed-tab";
import { ReadinessPanel } from "./readiness";
import { type Entry, type Installed, readDatabases, readInstalled, readReadiness, readStore } from "./state";
import { StoreProblem } from "./store-problem";
import { Versions } from "./versions";
import { WhatRuns } from "./what-runs";

/** One pipeline, installed or not: what it runs, whether it could, and its versions. */
export function Screen() {
  const { params } = useRoute();
  const id = params.id ?? "";
  const installed = useResource(readInstalled, [id]);
  const store = useResource(readStore, [id]);
  const readiness = useResource((signal) => readReadiness(id, signal), [id]);
  const databases = useResource(readDatabases, [id]);
  const change = async (): Promise<void> => {
    await Promise.all([installed.reload(), readiness.reload(), databases.reload(), store.reload()]);
  };
  const offered = store.data.value;
  const entry = offered?.pipelines.find((one) => one.id === id) ?? null;
  return (
    // Whoever tries again means the whole page, also what could not be read for the same reason.
    <Loaded of={{ ...installed, reload: change }} pageTitle={id}>
      {(all) => {
        const pipeline = all.find((one) => one.id === id) ?? null;
        if (pipeline === null && entry === null) {
          return (
            <Loaded of={store} pageTitle={id}>
              {(found) => <Unknown of={found.registry.error} />}
            </Loaded>
          );
        }
        return (
          <div class="stack">
            <Head id={id} pipeline={pipeline} entry={entry} onChange={change} />
            <DemoNote />
            {pipeline && isNoticed(pipeline) && (
              <div class="notice notice-wait">
                <VersionNotices of={pipeline} />
              </div>
            )}
            <div class="pair">
              <WhatRuns
                pipeline={pipeline}
                offer={entry?.offer ?? null}
                databases={databases.data.value ?? []}
              />
              {pipeline && (
                <Loaded of={readiness}>
                  {(found) =>
                    found && <ReadinessPanel pipeline={pipeline} readiness={found} onChange={change} />
                  }
                </Loaded>
              )}
            </div>
            <Versions pipeline={pipeline} entry={entry} onChange={change}>
              <Loaded of={store}>{(found) => <StoreProblem of={store} store={found} />}</Loaded>
            </Versions>
          </div>
        );
      }}
    </Loaded>
  );
}

/** Neither here nor there, as far as the registry could be asked. */
const Unknown = ({ of: error }: { of: string | null }) => (
  <OutOfReach why={error === null ? text.unknown : `${text.storeFails}: ${error}.`} />
);

interface HeadProps {
  id: string;
  pipeline: Installed | null;
  entry: Entry | null;
  onChange: () => Promise<void>;
}

function Head({ id, pipeline, entry, onChange }: HeadProps) {
  const facts = pipeline
    ? [
        <StateChip key="state" pipeline={pipeline} />,
        <span key="version">
          {text.version} {pipeline.version}
        </span>,
      ]
    : [<Chip key="state">{text.notHere}</Chip>];
  return (
    <>
      <PageHead
        title={pipeline?.name ?? entry?.offer.name ?? id}
        crumbs={[{ label: text.title, href: "/facility/pipelines" }]}
        here={<code>{id}</code>}
        facts={facts}
        actions={pipeline && <Actions pipeline={pipeline} onChange={onChange} />}
      />
      <p>{pipeline?.description || entry?.offer.summary}</p>
    </>
  );
}
