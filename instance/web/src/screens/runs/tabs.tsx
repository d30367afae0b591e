import type { JSX } from "preact";
import { tab } from "../../screen";
import { isAdmin } from "../../session";
import { ResultsTab } from "./results";
import type { Run } from "./state";
import { SummaryTab } from "./summary/tab";

export interface TabProps {
  run: Run;
  onChange: () => Promise<void>;
}

/** The tabs of a run, from left to right. What only the facility looks at is fetched when it is opened. */
const TABS = {
  summary: { tab: SummaryTab, audience: "anybody" },
  tasks: { tab: tab<TabProps>(() => import("./tasks/tab")), audience: "admin" },
  log: { tab: tab<TabProps>(() => import("./log/tab")), audience: "admin" },
  evidence: { tab: tab<TabProps>(() => import("./evidence")), audience: "admin" },
  results: { tab: ResultsTab, audience: "anybody" },
  files: { tab: tab<TabProps>(() => import("./files")), audience: "admin" },
} as const satisfies Record<string, { tab: (props: TabProps) => JSX.Element; audience: "anybody" | "admin" }>;

export type TabId = keyof typeof TABS;

const isTab = (word: string | undefined): word is TabId => word !== undefined && Object.hasOwn(TABS, word);

const isMine = (id: TabId): boolean => {
  const audience: "anybody" | "admin" = TABS[id].audience;
  return audience === "anybody" || isAdmin.value;
};

/** The tabs that are there for who is signed in. */
export const ownTabs = (): TabId[] => Object.keys(TABS).filter(isTab).filter(isMine);

/** The tab that an address names; the summary where it names none that is there. */
export const tabOf = (word: string | undefined): TabId => (isTab(word) && isMine(word) ? word : "summary");

export function RunTab({ id, ...props }: TabProps & { id: TabId }) {
  const Shown: (props: TabProps) => JSX.Element = TABS[id].tab;
  return <Shown {...props} />;
}
