import "../../style/screens/profile.css";
import type { JSX } from "preact";
import { useLocation } from "preact-iso";
import { addressWith } from "../../parts/address";
import { Empty } from "../../parts/empty";
import { PageHead } from "../../parts/page-head";
import { Tabs } from "../../parts/tabs";
import { tab } from "../../screen";
import { isDemo } from "../../session";
import { account as words } from "../../text/en/account";
import { AboutTab, Facts } from "./about";

/** The tabs of the profile, from left to right. What is looked at rarely is fetched when it is opened. */
const TABS = {
  about: AboutTab,
  sessions: tab<object>(() => import("./sessions/tab")),
  tokens: tab<object>(() => import("./tokens/tab")),
  "second-factor": tab<object>(() => import("./factor/tab")),
  mail: tab<object>(() => import("./mail/tab")),
} as const satisfies Record<string, (props: object) => JSX.Element>;

type TabId = keyof typeof TABS;

const isTab = (word: string | undefined): word is TabId => word !== undefined && Object.hasOwn(TABS, word);

export function Screen() {
  const { path, query } = useLocation();
  const current = isTab(query.tab) ? query.tab : "about";
  const tabs = Object.keys(TABS)
    .filter(isTab)
    .map((id) => ({
      id,
      label: words.tabs[id],
      href: addressWith(path, {}, { tab: id === "about" ? null : id }),
    }));
  const Shown: (props: object) => JSX.Element = TABS[current];
  return (
    <>
      <PageHead title={words.profileTitle} />
      {isDemo.value ? (
        <div class="stack narrow">
          <Facts />
          <Empty title={words.demoProfile} />
        </div>
      ) : (
        <div class="stack">
          <Tabs label={words.profileTitle} tabs={tabs} current={current}>
            <Shown key={current} />
          </Tabs>
        </div>
      )}
    </>
  );
}
