import { useState } from "preact/hooks";
import { fieldErrors } from "../../api/problem";
import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { CheckField } from "../../parts/choice-fields";
import { Dialog } from "../../parts/dialog";
import { ErrorSummary } from "../../parts/error-summary";
import { TextField } from "../../parts/field";
import { ShownOnce } from "../../parts/shown-once";
import { text as common } from "../../text/en/common";
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
  const [secret, setSecret] = useState<string | null>(null);
  const making = useAction(async () => {
    setSecret(
      await makeWebhook(
        url,
        EVENTS.filter((event) => events.has(event)),
      ),
    );
    await onMade();
  });
  const errors = fieldErrors(making.problem.value);
  if (secret !== null) {
    return (
      <ShownOnce
        title={text.made}
        what={text.madeWhat(url.trim())}
        value={secret}
        label={text.secret}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog
      title={text.newWebhook}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            look="main"
            type="submit"
            form="webhook"
            isBusy={making.isRunning.value}
            refusal={events.size === 0 ? text.eventsMissing : null}
          >
            {text.make}
          </Button>
        </>
      }
    >
      <form
        id="webhook"
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void making.run();
        }}
      >
        <ErrorSummary problem={making.problem.value} labels={LABELS} />
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
        <fieldset class="stack-tight">
          <legend class="field-label">{text.events}</legend>
          {EVENTS.map((event) => (
            <CheckField
              key={event}
              name={`events.${event}`}
              label={text.eventWords[event]}
              isChecked={events.has(event)}
              onChange={(isOn) => {
                const next = new Set(events);
                if (isOn) next.add(event);
                else next.delete(event);
                setEvents(next);
              }}
            />
          ))}
        </fieldset>
      </form>
    </Dialog>
  );
}
