import { useSignal } from "@preact/signals";
import { api, given } from "../../api/client";
import { useAction, useList } from "../../api/resource";
import type { components } from "../../api/schema";
import { Button } from "../../parts/button";
import { DemoNote } from "../../parts/demo-note";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { PageHead } from "../../parts/page-head";
import { ProblemNotice } from "../../parts/problem";
import { type Column, Table } from "../../parts/table";
import { Time } from "../../parts/time";
import { demoRefusal } from "../../session";
import { unsentMailText as text } from "../../text/en/unsent-mail";
import { count } from "../../text/format";

type MailList = components["schemas"]["instance.failed-mail"];
type FailedMail = MailList["failed"][number];

const readMail = (signal: AbortSignal): Promise<MailList> => given(api.GET("/api/admin/mail", { signal }));

/** What could not be sent, and why. Visitors of a demonstration are not told. */
export function Screen() {
  return (
    <div class="stack">
      <PageHead title={text.title} />
      <DemoNote />
      {demoRefusal.value === null && <NotSent />}
    </div>
  );
}

function NotSent() {
  const mail = useList(readMail, []);
  const outcome = useSignal("");
  const sending = useAction(async ({ id, subject }: FailedMail) => {
    await given(api.POST("/api/admin/mail/{mail_id}/retry", { params: { path: { mail_id: id } } }));
    outcome.value = text.queued(subject);
    await mail.reload();
  });
  const problem = sending.problem.value;
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      <p role="status">{outcome.value}</p>
      <Loaded of={mail}>
        {({ failed, waiting }) => (
          <>
            <p class="muted">{text.waiting(waiting)}</p>
            {failed.length === 0 ? (
              <Empty title={waiting > 0 ? text.noneFailed : text.none}>{text.noneWhy}</Empty>
            ) : (
              <Table
                label={text.notSent}
                columns={columnsOf((one) => void sending.run(one))}
                rows={failed}
                rowId={({ id }) => id}
              />
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

function columnsOf(retry: (mail: FailedMail) => void): Column<FailedMail>[] {
  return [
    {
      id: "subject",
      label: text.subject,
      cell: ({ subject }) => <span title={subject}>{subject}</span>,
      isLong: true,
    },
    {
      id: "to",
      label: text.to,
      cell: ({ to }) => (
        <span class="person" title={to}>
          {to}
        </span>
      ),
      isMinor: true,
    },
    {
      id: "reason",
      label: text.reason,
      cell: ({ lastError }) => <span title={lastError}>{lastError}</span>,
      isLong: true,
    },
    {
      id: "attempts",
      label: text.attempts,
      cell: ({ attempts }) => count(attempts),
      isNumber: true,
      isMinor: true,
    },
    { id: "made", label: text.made, cell: ({ createdAt }) => <Time at={createdAt} />, isMinor: true },
    {
      id: "retry",
      label: text.retry,
      cell: (mail) => (
        <Button
          look="quiet"
          icon="again"
          label={text.retryOf(mail.subject, mail.to)}
          onClick={() => retry(mail)}
        />
      ),
    },
  ];
}
