import "../../style/screens/orders.css";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { InviteDialog } from "../../invites/invite-dialog";
import { Button } from "../../parts/button";
import { PageHead } from "../../parts/page-head";
import { Tabs } from "../../parts/tabs";
import { demoRefusal } from "../../session";
import { peopleText as text } from "../../text/en/people";
import { DepartmentsTab } from "./departments-tab";
import { InvitesTab } from "./invites-tab";
import { MachinesTab } from "./machines-tab";
import { PeopleTab } from "./people-tab";

const TABS = {
  people: PeopleTab,
  invites: InvitesTab,
  machines: MachinesTab,
  departments: DepartmentsTab,
} as const;
const NAMES = [
  "people",
  "invites",
  "machines",
  "departments",
] as const satisfies readonly (keyof typeof TABS)[];

/** The accounts of the facility, and how people come to one. */
export function Screen() {
  const { path, query, route } = useLocation();
  const [isInviting, setInviting] = useState(false);
  const [invites, setInvites] = useState(0);
  const current = NAMES.find((name) => name === query.tab) ?? "people";
  const Tab = TABS[current];
  const tabs = NAMES.map((id) => ({
    id,
    label: text.tabs[id],
    href: id === "people" ? path : `${path}?tab=${id}`,
  }));
  return (
    <div class="stack">
      <PageHead
        title={text.title}
        actions={
          <Button look="main" icon="add" refusal={demoRefusal.value} onClick={() => setInviting(true)}>
            {text.invite}
          </Button>
        }
      />
      <Tabs label={text.tablist} tabs={tabs} current={current}>
        <Tab key={invites} />
      </Tabs>
      {isInviting && (
        <InviteDialog
          onClose={(isMade) => {
            setInviting(false);
            if (!isMade) return;
            setInvites(invites + 1);
            if (current !== "invites") route(`${path}?tab=invites`);
          }}
        />
      )}
    </div>
  );
}
