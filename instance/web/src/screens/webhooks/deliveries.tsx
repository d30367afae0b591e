import { useAction, useResource } from "../../api/resource";
import { Button } from "../../parts/button";
import { Chip, type Tone } from "../../parts/chip";
import { Copy } from "../../parts/copy";
import { Dialog } from "../../parts/dialog";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { ProblemNotice } from "../../parts/problem";
import { Time } from "../../parts/time";
import { webhookText as text } from "../../text/en/webhooks";
import { type Delivery, eventsOf, readDeliveries, sendAgain, type Webhook } from "./state";

const TONES: Record<Delivery["status"], Tone> = { waiting: "wait", delivered: "ok", failed: "bad" };

export function DeliveryChip({ delivery }: { delivery: Delivery }) {
  return <Chip tone={TONES[delivery.status]}>{text.states[delivery.status]}</Chip>;
}

interface Props {
  webhook: Webhook;
  onClose: () => void;
}

/** What was sent to a webhook lately, and how it was answered. */
export function Deliveries({ webhook, onClose }: Props) {
  const deliveries = useResource((signal) => readDeliveries(webhook, signal), [webhook.id]);
  const sending = useAction(async (delivery: Delivery) => {
    await sendAgain(webhook, delivery);
    await deliveries.reload();
  });
  const problem = sending.problem.value;
  return (
    <Dialog title={text.deliveries} onClose={onClose} isDrawer isWaiting={deliveries.data.value === null}>
      <div class="stack">
        <dl class="facts">
          <dt>{text.url}</dt>
          <dd>
            <Copy value={webhook.url} label={text.url.toLowerCase()} />
          </dd>
          <dt>{text.events}</dt>
          <dd>{eventsOf(webhook)}</dd>
        </dl>
        {problem && <ProblemNotice problem={problem} />}
        <Loaded of={deliveries}>
          {(found) =>
            found.length === 0 ? (
              <Empty title={text.noDeliveries} />
            ) : (
              <ul class="stack-tight" aria-label={text.deliveries}>
                {found.map((delivery) => (
                  <Sent
                    key={delivery.id}
                    delivery={delivery}
                    isBusy={sending.isRunning.value}
                    onAgain={() => void sending.run(delivery)}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
    </Dialog>
  );
}

interface SentProps {
  delivery: Delivery;
  isBusy: boolean;
  onAgain: () => void;
}

function Sent({ delivery, isBusy, onAgain }: SentProps) {
  const { event, status, attempts, statusCode, lastError, createdAt, nextAttemptAt } = delivery;
  const words = text.eventWords[event];
  return (
    <li class="card stack-tight">
      <div class="spread one-row">
        <span class="line">
          <DeliveryChip delivery={delivery} />
          <span title={event}>{words}</span>
        </span>
        {status === "failed" && (
          <Button look="quiet" label={text.retryOf(words)} isBusy={isBusy} onClick={onAgain}>
            {text.retry}
          </Button>
        )}
      </div>
      <p class="muted">
        <Time at={createdAt} /> · {text.attempts(attempts)}
        {nextAttemptAt && (
          <>
            {" "}
            · {text.next} <Time at={nextAttemptAt} />
          </>
        )}
      </p>
      {(statusCode || lastError) && (
        <p>
          {text.answer}: {[statusCode, lastError].filter(Boolean).join(" ")}
        </p>
      )}
    </li>
  );
}
