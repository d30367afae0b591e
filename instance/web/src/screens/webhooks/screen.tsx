import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useList } from "../../api/resource";
import { addressWith } from "../../parts/address";
import { Button } from "../../parts/button";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { DemoNote } from "../../parts/demo-note";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { PageHead } from "../../parts/page-head";
import { type Column, Table } from "../../parts/table";
import { Time } from "../../parts/time";
import { demoRefusal } from "../../session";
import { webhookText as text } from "../../text/en/webhooks";
import { Deliveries, DeliveryChip } from "./deliveries";
import { deleteWebhook, eventsOf, readWebhooks, type Webhook } from "./state";
import { WebhookDialog } from "./webhook-dialog";

/** Visitors of a demonstration are not told where other programs listen. */
export function Screen() {
  if (demoRefusal.value === null) return <Webhooks />;
  return (
    <div class="stack">
      <PageHead title={text.title} />
      <DemoNote />
    </div>
  );
}

function Webhooks() {
  const { path, query, route } = useLocation();
  const webhooks = useList(readWebhooks, []);
  const [isMaking, setMaking] = useState(false);
  const [asked, setAsked] = useState<Webhook | null>(null);
  const isEmpty = webhooks.data.value?.length === 0;
  const add = (
    <Button look="main" icon="add" onClick={() => setMaking(true)}>
      {text.newWebhook}
    </Button>
  );
  const opened = webhooks.data.value?.find(({ id }) => id === query.webhook);
  return (
    <div class="stack">
      <PageHead title={text.title} actions={!isEmpty && add} />
      <Loaded of={webhooks}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={text.none} action={add}>
              {text.why}
            </Empty>
          ) : (
            <Table
              label={text.title}
              columns={columnsOf((id) => addressWith(path, { webhook: id }), setAsked)}
              rows={found}
              rowId={({ id }) => id}
            />
          )
        }
      </Loaded>
      {isMaking && <WebhookDialog onMade={webhooks.reload} onClose={() => setMaking(false)} />}
      {opened && (
        <Deliveries
          key={opened.id}
          webhook={opened}
          onClose={() => {
            route(path, true);
            void webhooks.reload();
          }}
        />
      )}
      {asked && (
        <ConfirmDialog
          title={text.deleteOf(asked.url)}
          verb={text.delete}
          isDanger
          onConfirm={async () => {
            await deleteWebhook(asked);
            await webhooks.reload();
          }}
          onClose={() => setAsked(null)}
        >
          {text.deleteWhat}
        </ConfirmDialog>
      )}
    </div>
  );
}

function columnsOf(addressOf: (id: string) => string, ask: (webhook: Webhook) => void): Column<Webhook>[] {
  return [
    {
      id: "url",
      label: text.url,
      cell: ({ id, url }) => (
        <a href={addressOf(id)} aria-haspopup="dialog" title={url}>
          {url}
        </a>
      ),
      isLong: true,
    },
    {
      id: "events",
      label: text.events,
      cell: (webhook) => (
        <span class="short" title={eventsOf(webhook)}>
          {webhook.events.length === 1 ? eventsOf(webhook) : text.eventsInAll(webhook.events.length)}
        </span>
      ),
      isMinor: true,
    },
    {
      id: "last",
      label: text.last,
      cell: ({ lastDelivery, failingSince }) => (
        <span class="line">
          {lastDelivery ? <DeliveryChip delivery={lastDelivery} /> : <span class="muted">{text.never}</span>}
          {failingSince && (
            <span class="muted roomy">
              {text.failingSince} <Time at={failingSince} />
            </span>
          )}
        </span>
      ),
    },
    {
      id: "by",
      label: text.by,
      cell: ({ createdBy: by }) => <span class="person">{`${by.firstName} ${by.lastName}`}</span>,
      isMinor: true,
    },
    { id: "created", label: text.created, cell: ({ createdAt }) => <Time at={createdAt} />, isMinor: true },
    {
      id: "delete",
      label: text.delete,
      cell: (webhook) => (
        <Button look="quiet" icon="trash" label={text.deleteOf(webhook.url)} onClick={() => ask(webhook)} />
      ),
    },
  ];
}
