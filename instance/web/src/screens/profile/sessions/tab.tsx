import { useSignal } from "@preact/signals";
import { api, given } from "../../../api/client";
import { useAction, useResource } from "../../../api/resource";
import type { components } from "../../../api/schema";
import { askToSignOut } from "../../../frame/sign-out";
import { Button } from "../../../parts/button";
import { Chip } from "../../../parts/chip";
import { ConfirmDialog } from "../../../parts/confirm-dialog";
import { Loaded } from "../../../parts/loading";
import { ProblemNotice } from "../../../parts/problem";
import { type Column, Table } from "../../../parts/table";
import { Time } from "../../../parts/time";
import { sessionText as words } from "../../../text/en/sessions";
import { deviceOf } from "./device";

type Session = components["schemas"]["instance.open-sessions"]["sessions"][number];

const readSessions = async (signal: AbortSignal): Promise<readonly Session[]> =>
  (await given(api.GET("/api/auth/sessions", { signal }))).sessions;

const nameOf = ({ userAgent }: Session): string => {
  const { program, system } = deviceOf(userAgent);
  return words.deviceOf(program, system);
};

/** Where somebody is signed in, and the way to end it. */
export function Tab() {
  const sessions = useResource(readSessions, []);
  const isAsked = useSignal(false);
  const outcome = useSignal("");
  const ending = useAction(async (session: Session) => {
    await given(
      api.DELETE("/api/auth/sessions/{session_id}", { params: { path: { session_id: session.id } } }),
    );
    outcome.value = words.ended(nameOf(session));
    await sessions.reload();
  });
  const endOthers = async (): Promise<void> => {
    await given(api.DELETE("/api/auth/sessions"));
    outcome.value = words.othersEnded;
    await sessions.reload();
  };
  const problem = ending.problem.value;
  return (
    <div class="stack">
      <p class="muted">{words.why}</p>
      {problem && <ProblemNotice problem={problem} />}
      <Loaded of={sessions}>
        {(known) => (
          <>
            <Table
              label={words.table}
              columns={columnsOf((session) => void ending.run(session))}
              rows={known}
              rowId={({ id }) => id}
            />
            <div class="line">
              <Button
                refusal={known.every(({ current }) => current) ? words.onlyThis : null}
                onClick={() => (isAsked.value = true)}
              >
                {words.endOthers}
              </Button>
              <span role="status">{outcome.value}</span>
            </div>
          </>
        )}
      </Loaded>
      {isAsked.value && (
        <ConfirmDialog
          title={words.endOthersTitle}
          verb={words.endOthers}
          isDanger
          onConfirm={endOthers}
          onClose={() => (isAsked.value = false)}
        >
          {words.endOthersWhat}
        </ConfirmDialog>
      )}
    </div>
  );
}

function columnsOf(end: (session: Session) => void): Column<Session>[] {
  return [
    {
      id: "device",
      label: words.device,
      cell: (session) => (
        <span class="line" title={session.userAgent}>
          {nameOf(session)}
          {session.current && <Chip tone="ok">{words.here}</Chip>}
        </span>
      ),
    },
    { id: "address", label: words.address, cell: ({ address }) => <span class="mono">{address}</span> },
    { id: "seen", label: words.lastSeen, cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
    { id: "begun", label: words.begun, cell: ({ createdAt }) => <Time at={createdAt} />, isMinor: true },
    {
      id: "end",
      label: words.end,
      cell: (session) =>
        session.current ? (
          <Button look="quiet" onClick={() => void askToSignOut()}>
            {words.signOutHere}
          </Button>
        ) : (
          <Button
            look="quiet"
            label={words.endOf(nameOf(session), session.address)}
            onClick={() => end(session)}
          >
            {words.end}
          </Button>
        ),
    },
  ];
}
