import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { type Resource, useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { Copy } from "../../parts/copy";
import { LiveStamp } from "../../parts/live-stamp";
import { Menu, type MenuItem } from "../../parts/menu";
import { PageHead } from "../../parts/page-head";
import { ProblemNotice } from "../../parts/problem";
import { Time } from "../../parts/time";
import { demoRefusal, isAdmin } from "../../session";
import { text } from "../../text/en/order";
import { orderText } from "../../text/en/orders";
import { type Change, ChangeDialog } from "./change-dialog";
import type { Slip } from "./packing-slip";
import { type Order, orderAgain } from "./state";

interface Props {
  order: Order;
  of: Resource<Order>;
  slip: Slip;
  onChange: () => Promise<void>;
}

/** The short pages about single tabs. */
const HELP: Readonly<Record<string, string>> = { delivery: "delivery", analyses: "analyses" };

export function OrderHead({ order, of, slip, onChange }: Props) {
  const { query, route } = useLocation();
  const tab = query.tab ?? "";
  const [asked, setAsked] = useState<Change | null>(null);
  const again = useAction(async () => {
    const number = await orderAgain(order, text.orderAgainName(titleOf(order)));
    route(`/orders/new?order=${number}`);
  });
  const problem = again.problem.value ?? slip.print.problem.value;
  return (
    <>
      <PageHead
        title={titleOf(order)}
        help={HELP[tab] ?? "ordering"}
        crumbs={[{ label: orderText.orders, href: "/orders" }]}
        here={<Copy value={order.orderNumber} label={order.orderNumber} />}
        aside={<LiveStamp of={[of]} />}
        facts={factsOf(order)}
        actions={
          <>
            <Button icon="print" isBusy={slip.print.isRunning.value} onClick={() => void slip.print.run()}>
              {text.print}
            </Button>
            <Menu
              label={text.more}
              icon="more"
              align="end"
              groups={[{ items: menuOf(order, setAsked, () => void again.run()) }]}
            />
          </>
        }
      />
      {problem && <ProblemNotice problem={problem} />}
      {asked && (
        <ChangeDialog order={order} change={asked} onClose={() => setAsked(null)} onChange={onChange} />
      )}
    </>
  );
}

export function titleOf(order: Order): string {
  return order.name ?? order.orderNumber;
}

function factsOf(order: Order) {
  const { user, platform, libraryStrategy, librarySource, status } = order;
  const kinds = [
    platform && orderText.platform(platform),
    libraryStrategy,
    librarySource && orderText.source(librarySource),
  ];
  return [
    isAdmin.value && `${user.firstName} ${user.lastName}`,
    kinds.filter(Boolean).join(" · "),
    orderText.samples(order.counts.samples),
    <>
      {status === "DRAFT" ? text.begun : text.status[status]} <Time at={order.statusUpdatedAt} />
    </>,
  ].filter(Boolean);
}

/** What may be done to an order beside its next step, as its state and the role allow. */
function menuOf(order: Order, ask: (change: Change) => void, again: () => void): MenuItem[] {
  const { status } = order;
  const refusal = demoRefusal.value;
  const items: (MenuItem | false)[] = [
    { label: text.ask, icon: "messages", href: `/messages/new?order=${order.id}` },
    { label: text.orderAgain, icon: "orders", onChoose: again, refusal },
    isAdmin.value &&
      status === "SUBMITTED" && { label: text.complete, onChoose: () => ask("complete"), refusal },
    isAdmin.value &&
      status === "SUBMITTED" && { label: text.toDraft, onChoose: () => ask("toDraft"), refusal },
    isAdmin.value && status === "COMPLETED" && { label: text.reopen, onChoose: () => ask("reopen"), refusal },
    isAdmin.value && { label: text.give, icon: "person", onChoose: () => ask("give"), refusal },
    status === "DRAFT" && { label: text.deleteDraft, icon: "trash", onChoose: () => ask("delete"), refusal },
  ];
  return items.filter((item) => item !== false);
}
