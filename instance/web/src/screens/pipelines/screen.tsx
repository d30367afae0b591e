import "../../style/parts/analyses.css";
import { useLocation } from "preact-iso";
import { DemoNote } from "../../parts/demo-note";
import { PageHead } from "../../parts/page-head";
import { Tabs } from "../../parts/tabs";
import { pipelineText as text } from "../../text/en/pipelines";
import { DataTab } from "./data-tab";
import { InstalledTab } from "./installed-tab";
import { StoreTab } from "./store-tab";

const TABS = { installed: InstalledTab, store: StoreTab, data: DataTab } as const;
const NAMES = ["installed", "store", "data"] as const satisfies readonly (keyof typeof TABS)[];

/** The pipelines of the facility, those of the registry, and the data that they need. */
export function Screen() {
  const { path, query } = useLocation();
  const current = NAMES.find((name) => name === query.tab) ?? "installed";
  const Tab = TABS[current];
  const tabs = NAMES.map((id) => ({
    id,
    label: text.tabs[id],
    href: id === "installed" ? path : `${path}?tab=${id}`,
  }));
  return (
    <div class="stack">
      <PageHead title={text.title} />
      <DemoNote />
      <Tabs label={text.tablist} tabs={tabs} current={current}>
        <Tab />
      </Tabs>
    </div>
  );
}
