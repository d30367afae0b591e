import type { JSX } from "preact";
import type { Resource } from "../../api/resource";
import { tab } from "../../screen";
import { isAdmin } from "../../session";
import { DeliveryTab } from "./delivery/tab";
import { NotesTab } from "./notes";
import { OverviewTab } from "./overview";
import { SamplesTab } from "./samples";
import type { Order, SamplePage } from "./state";

export interface TabProps {
  order: Order;
  /** The samples of the overview's tiles; null where they are not shown. */
  tiles: Resource<SamplePage["samples"]> | null;
  /** The address of the order's page. */
  address: string;
  onChange: () => Promise<void>;
}

/** The tabs of an order, from left to right. What only the facility works on is fetched when it is opened. */
const TABS = {
  overview: { tab: OverviewTab, audience: "anybody" },
  samples: { tab: SamplesTab, audience: "anybody" },
  reads: { tab: tab<TabProps>(() => import("./reads/tab")), audience: "admin" },
  plans: { tab: tab<TabProps>(() => import("./plans/tab")), audience: "admin" },
  live: { tab: tab<TabProps>(() => import("./live/tab")), audience: "admin" },
  analyses: { tab: tab<TabProps>(() => import("./analyses/tab")), audience: "anybody" },
  delivery: { tab: DeliveryTab, audience: "anybody" },
  notes: { tab: NotesTab, audience: "anybody" },
} as const satisfies Record<string, { tab: (props: TabProps) => JSX.Element; audience: "anybody" | "admin" }>;

export type TabId = keyof typeof TABS;

const isTab = (word: string | undefined): word is TabId => word !== undefined && Object.hasOwn(TABS, word);

/** The tabs that are there for who is signed in. */
export const ownTabs = (): TabId[] => Object.keys(TABS).filter(isTab).filter(isMine);

const isMine = (id: TabId): boolean => {
  const audience: "anybody" | "admin" = TABS[id].audience;
  return audience === "anybody" || isAdmin.value;
};

/** The tab that an address names; the overview where it names none that is there. */
export const tabOf = (word: string | undefined): TabId => (isTab(word) && isMine(word) ? word : "overview");

export function OrderTab({ id, ...props }: TabProps & { id: TabId }) {
  const Shown: (props: TabProps) => JSX.Element = TABS[id].tab;
  return <Shown {...props} />;
}
