import { api, given } from "../../api/client";
import { useLive } from "../../api/live";
import { useAction, useResource } from "../../api/resource";
import type { components } from "../../api/schema";
import { Button } from "../../parts/button";
import { Chip } from "../../parts/chip";
import { DemoNote } from "../../parts/demo-note";
import { Empty } from "../../parts/empty";
import { ErrorSummary } from "../../parts/error-summary";
import { Loaded } from "../../parts/loading";
import { PageHead } from "../../parts/page-head";
import { Time } from "../../parts/time";
import { isPlace } from "../../place";
import { demoRefusal, readBoot } from "../../session";
import { messages as words } from "../../text/en/messages";
import "../../style/screens/messages.css";

type Notification = components["schemas"]["instance.notifications"]["notifications"][number];

export function Screen() {
  const notifications = useResource(
    (signal) => given(api.GET("/api/notifications", { params: { query: { limit: 200 } }, signal })),
    [],
  );
  useLive(["notifications"], () => void notifications.reload());
  const marking = useAction(async () => {
    await given(api.POST("/api/notifications/read", { body: { all: true } }));
    await Promise.all([notifications.reload(), readBoot()]);
  });
  // Where it leads is shown whether or not the service hears of it; then it stays new.
  const open = async (id: string): Promise<void> => {
    await given(api.POST("/api/notifications/read", { body: { ids: [id], all: false } }));
    await Promise.all([notifications.reload(), readBoot()]);
  };
  const unread = notifications.data.value?.unread ?? 0;
  return (
    <>
      <PageHead
        title={words.notifications}
        actions={
          unread > 0 && (
            <Button
              refusal={demoRefusal.value}
              isBusy={marking.isRunning.value}
              onClick={() => void marking.run()}
            >
              {words.markRead}
            </Button>
          )
        }
      />
      {unread > 0 && <DemoNote />}
      <ErrorSummary problem={marking.problem.value} labels={{}} />
      <Loaded of={notifications}>
        {({ notifications }) =>
          notifications.length === 0 ? (
            <Empty title={words.noNotifications}>{words.noNotificationsWhy}</Empty>
          ) : (
            <ol class="told">
              {notifications.map((each) => (
                <Told
                  key={each.id}
                  notification={each}
                  onOpen={() => {
                    if (each.readAt === null && demoRefusal.value === null) open(each.id).catch(() => {});
                  }}
                />
              ))}
            </ol>
          )
        }
      </Loaded>
    </>
  );
}

interface ToldProps {
  notification: Notification;
  onOpen: () => void;
}

function Told({ notification, onOpen }: ToldProps) {
  const { type, title, readAt, createdAt } = notification;
  const href = placeOf(notification);
  return (
    <li class="told-line">
      <span class="muted told-kind">{words.notificationKinds[type]}</span>
      <span class="told-title">
        {href ? (
          <a href={href} onClick={onOpen}>
            {title}
          </a>
        ) : (
          title
        )}{" "}
        {readAt === null && <Chip tone="run">{words.isNew}</Chip>}
      </span>
      <span class="muted">
        <Time at={createdAt} />
      </span>
    </li>
  );
}

function placeOf({ type, orderId, ticketId, pipelineRunId }: Notification): string | null {
  const about = [
    ticketId && `/messages/${ticketId}`,
    pipelineRunId && `/runs/${pipelineRunId}`,
    orderId && `/orders/${orderId}${type === "delivery-published" ? "?tab=delivery" : ""}`,
    type === "account-pending" && "/facility/people?state=waiting",
    type === "pipeline-notice" && "/facility/registry",
  ];
  return about.find((href) => typeof href === "string" && isPlace(href)) || null;
}
