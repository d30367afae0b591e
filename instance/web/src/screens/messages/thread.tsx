import { useCallback, useEffect, useState } from "preact/hooks";
import { useRoute } from "preact-iso";
import { useLive } from "../../api/live";
import { useAction, useResource } from "../../api/resource";
import { Button } from "../../parts/button";
import { Chip } from "../../parts/chip";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { ErrorSummary } from "../../parts/error-summary";
import { Loaded } from "../../parts/loading";
import { PageHead } from "../../parts/page-head";
import { PlainText } from "../../parts/plain-text";
import { Time } from "../../parts/time";
import { isPlace } from "../../place";
import { demoRefusal, isAdmin, readBoot, user } from "../../session";
import { messages as words } from "../../text/en/messages";
import { MessageBox } from "./message-box";
import {
  type Conversation,
  type Message,
  move,
  readConversation,
  reply,
  type Status,
  type Ticket,
} from "./state";
import { TONES } from "./tones";
import "../../style/screens/messages.css";

/** One conversation. */
export function Screen() {
  const { id = "" } = useRoute().params;
  const conversation = useResource((signal) => readConversation(id, signal), [id]);
  useLive([`message:${id}`], () => void conversation.reload());
  // WHY: a new one each time would forget, when the page is drawn anew, that a message is on its way.
  const send = useCallback(
    async (body: string): Promise<void> => {
      await reply(id, body);
      conversation.put(await readConversation(id));
    },
    [id, conversation],
  );
  const isRead = conversation.data.value !== null;
  useEffect(() => {
    // WHY: reading marks as read, so that the number in the rail is another one now.
    if (isRead) void readBoot();
  }, [isRead]);
  return (
    <Loaded of={conversation} pageTitle={words.title}>
      {({ ticket, messages }) => (
        <>
          <Head ticket={ticket} onMoved={(moved) => conversation.put({ ticket: moved, messages })} />
          <Thread messages={messages} />
          {ticket.status === "CLOSED" ? (
            <p class="muted">{words.closedHint}</p>
          ) : (
            <MessageBox record={`message:${id}`} send={send} />
          )}
        </>
      )}
    </Loaded>
  );
}

function Head({ ticket, onMoved }: { ticket: Ticket; onMoved: (ticket: Ticket) => void }) {
  const moving = useAction(async (status: Status) => {
    onMoved(await move(ticket.id, status));
  });
  const [isAsked, setAsked] = useState(false);
  const isBusy = moving.isRunning.value;
  const isClosed = ticket.status === "CLOSED";
  const refusal = demoRefusal.value;
  return (
    <>
      <PageHead
        title={ticket.subject}
        crumbs={[{ label: words.title, href: "/messages" }]}
        facts={[
          `${ticket.user.firstName} ${ticket.user.lastName}`,
          <Chip key="state" tone={TONES[ticket.status]}>
            {words.states[ticket.status]}
          </Chip>,
          ticket.orderId && (
            <a key="order" href={`/orders/${ticket.orderId}`}>
              {words.theOrder}
            </a>
          ),
          ticket.studyId && isPlace(`/studies/${ticket.studyId}`) && (
            <a key="study" href={`/studies/${ticket.studyId}`}>
              {words.theStudy}
            </a>
          ),
        ].filter(Boolean)}
        actions={
          <>
            {isAdmin.value && !isClosed && ticket.status !== "RESOLVED" && (
              <Button isBusy={isBusy} refusal={refusal} onClick={() => void moving.run("RESOLVED")}>
                {words.resolve}
              </Button>
            )}
            {!isClosed && (
              // An admin opens it again with one click.
              <Button
                isBusy={isBusy}
                refusal={refusal}
                onClick={() => (isAdmin.value ? void moving.run("CLOSED") : setAsked(true))}
              >
                {words.close}
              </Button>
            )}
            {isClosed && isAdmin.value && (
              <Button isBusy={isBusy} refusal={refusal} onClick={() => void moving.run("OPEN")}>
                {words.reopen}
              </Button>
            )}
          </>
        }
      />
      <ErrorSummary problem={moving.problem.value} labels={{}} />
      {isAsked && (
        <ConfirmDialog
          title={words.closeTitle(ticket.subject)}
          verb={words.close}
          onConfirm={async () => onMoved(await move(ticket.id, "CLOSED"))}
          onClose={() => setAsked(false)}
        >
          {words.closeWhat}
        </ConfirmDialog>
      )}
    </>
  );
}

function Thread({ messages }: { messages: Conversation["messages"] }) {
  return (
    <ol class="thread" aria-label={words.title}>
      {messages.map((message) => (
        <MessageItem key={message.id} message={message} />
      ))}
    </ol>
  );
}

function MessageItem({ message }: { message: Message }) {
  const { sender, body, createdAt } = message;
  return (
    <li class={sender.id === user.value?.id ? "said said-mine" : "said"}>
      <p class="said-head">
        <strong>
          {sender.firstName} {sender.lastName}
        </strong>{" "}
        <span class="muted">
          <Time at={createdAt} />
        </span>
      </p>
      <PlainText>{body}</PlainText>
    </li>
  );
}
