import { useState } from "preact/hooks";
import { CheckList } from "../../parts/check-list";
import { TextField } from "../../parts/field";
import { MadeOnce } from "../../parts/made-once";
import { webhookText as text } from "../../text/en/webhooks";
import { type Event, makeWebhook } from "./state";

const EVENTS = [
  "order.submitted",
  "order.status",
  "reads.complete",
  "run.completed",
  "run.failed",
  "delivery.released",
  "message.created",
] as const satisfies readonly Event[];

const LABELS = { url: text.url, events: text.events };

interface Props {
  onMade: () => Promise<void>;
  onClose: () => void;
}

/** Ask for a webhook, then show its secret, once. */
export function WebhookDialog({ onMade, onClose }: Props) {
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<ReadonlySet<Event>>(new Set());
  return (
    <MadeOnce
      title={text.newWebhook}
      verb={text.make}
      labels={LABELS}
      refusal={events.size === 0 ? text.eventsMissing : null}
      onMake={async () => {
        const wanted = EVENTS.filter((event) => events.has(event));
        const secret = await makeWebhook(url, wanted);
        await onMade();
        return secret;
      }}
      made={{ title: text.made, what: text.madeWhat(url.trim()), label: text.secret }}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p>{text.why}</p>
          <TextField
            name="url"
            label={text.url}
            help={text.urlHelp}
            error={errors.get("url")}
            required
            value={url}
            onInput={setUrl}
          />
          <CheckList
            name="events"
            label={text.events}
            error={errors.get("events")}
            choices={EVENTS.map((event) => ({ value: event, label: text.eventWords[event] }))}
            chosen={events}
            onChange={setEvents}
          />
        </>
      )}
    </MadeOnce>
  );
}
