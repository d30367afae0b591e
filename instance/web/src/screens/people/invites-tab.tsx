import { useState } from "preact/hooks";
import { useList } from "../../api/resource";
import { Button } from "../../parts/button";
import { Chip, type Tone } from "../../parts/chip";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { type Column, Table } from "../../parts/table";
import { Time } from "../../parts/time";
import { demoRefusal } from "../../session";
import { peopleText as text } from "../../text/en/people";
import { deleteInvite, type Invite, inviteStateOf, nameOf, readInvites } from "./state";

const TONES: Record<ReturnType<typeof inviteStateOf>, Tone> = { open: "wait", used: "ok", ended: "calm" };

export function InvitesTab() {
  const invites = useList(readInvites, []);
  const [asked, setAsked] = useState<Invite | null>(null);
  return (
    <>
      <Loaded of={invites}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={text.noInvites}>{text.inviteWhy}</Empty>
          ) : (
            <Table label={text.invites} columns={columnsOf(setAsked)} rows={found} rowId={({ id }) => id} />
          )
        }
      </Loaded>
      {asked && (
        <ConfirmDialog
          title={text.deleteInviteOf(asked.codeEnding)}
          verb={text.deleteInvite}
          isDanger
          onConfirm={async () => {
            await deleteInvite(asked);
            await invites.reload();
          }}
          onClose={() => setAsked(null)}
        >
          {text.deleteInviteWhat}
        </ConfirmDialog>
      )}
    </>
  );
}

function columnsOf(ask: (invite: Invite) => void): Column<Invite>[] {
  return [
    {
      id: "for",
      label: text.forEmail,
      cell: ({ email }) =>
        email ? (
          <span class="breaks" title={email}>
            {email}
          </span>
        ) : (
          <span class="muted">{text.anybody}</span>
        ),
      isLong: true,
    },
    {
      id: "code",
      label: text.code,
      cell: ({ codeEnding }) => <code>{codeEnding}</code>,
      isMinor: true,
    },
    {
      id: "by",
      label: text.madeBy,
      cell: ({ createdBy }) => <span class="person">{nameOf(createdBy)}</span>,
      isMinor: true,
    },
    { id: "made", label: text.made, cell: ({ createdAt }) => <Time at={createdAt} />, isMinor: true },
    { id: "ends", label: text.ends, cell: ({ expiresAt }) => <Time at={expiresAt} />, isMinor: true },
    {
      id: "state",
      label: text.state,
      cell: (invite) => (
        <Chip tone={TONES[inviteStateOf(invite)]}>{text.inviteStates[inviteStateOf(invite)]}</Chip>
      ),
    },
    {
      id: "delete",
      label: text.deleteInvite,
      cell: (invite) =>
        inviteStateOf(invite) !== "used" && (
          <Button
            look="quiet"
            icon="trash"
            label={text.deleteInviteOf(invite.codeEnding)}
            refusal={demoRefusal.value}
            onClick={() => ask(invite)}
          />
        ),
    },
  ];
}
