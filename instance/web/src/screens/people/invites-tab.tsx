import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useList } from "../../api/resource";
import { InviteDialog } from "../../invites/invite-dialog";
import { ActiveFilters, activeOf } from "../../parts/active-filters";
import { addressWith } from "../../parts/address";
import { Button } from "../../parts/button";
import { Chip, type Tone } from "../../parts/chip";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { Empty } from "../../parts/empty";
import { FilterMenu } from "../../parts/filter-menu";
import { Loaded } from "../../parts/loading";
import { type Column, Table } from "../../parts/table";
import { Time } from "../../parts/time";
import { pageOf } from "../../people/choices";
import { demoRefusal } from "../../session";
import { peopleText as text } from "../../text/en/people";
import {
  deleteInvite,
  INVITE_STATES,
  type Invite,
  inviteStateOf,
  nameOf,
  readFailedAddresses,
  readInvites,
} from "./state";

const TONES: Record<ReturnType<typeof inviteStateOf>, Tone> = { open: "wait", used: "ok", ended: "calm" };

export function InvitesTab() {
  const { path, query: words, route } = useLocation();
  const invites = useList(readInvites, []);
  const failed = useList(readFailedAddresses, []).data.value;
  const [asked, setAsked] = useState<Invite | null>(null);
  const [again, setAgain] = useState<Invite | null>(null);
  const wanted = INVITE_STATES.find((state) => state === words.state);
  const choose = (state: string | null): void => route(addressWith(path, words, { state }), true);
  return (
    <div class="stack">
      <Loaded of={invites}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={text.noInvites}>{text.inviteWhy}</Empty>
          ) : (
            <>
              <search class="line">
                <FilterMenu
                  label={text.state}
                  any={text.anyState}
                  value={wanted}
                  choices={INVITE_STATES.map((value) => ({ value, label: text.inviteStates[value] }))}
                  onChoose={choose}
                />
                {wanted && (
                  <ActiveFilters
                    filters={activeOf([[["state"], text.state, text.inviteStates[wanted]]], () =>
                      choose(null),
                    )}
                    onClear={() => choose(null)}
                  />
                )}
              </search>
              <Shown
                invites={found.filter((invite) => !wanted || inviteStateOf(invite) === wanted)}
                columns={columnsOf(failed ?? new Set(), setAsked, setAgain)}
              />
            </>
          )
        }
      </Loaded>
      {again && (
        <InviteDialog
          email={again.email ?? ""}
          onClose={(isMade) => {
            setAgain(null);
            if (isMade) void invites.reload();
          }}
        />
      )}
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
    </div>
  );
}

interface ShownProps {
  invites: readonly Invite[];
  columns: readonly Column<Invite>[];
}

function Shown({ invites, columns }: ShownProps) {
  if (invites.length === 0) return <p class="muted">{text.noInviteFits}</p>;
  return <Table label={text.invites} columns={columns} rows={invites} rowId={({ id }) => id} />;
}

function columnsOf(
  failed: ReadonlySet<string>,
  ask: (invite: Invite) => void,
  askAgain: (invite: Invite) => void,
): Column<Invite>[] {
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
      cell: ({ createdBy }) => (
        <a class="person" href={pageOf(createdBy.id)}>
          {nameOf(createdBy)}
        </a>
      ),
      isMinor: true,
    },
    { id: "made", label: text.made, cell: ({ createdAt }) => <Time at={createdAt} />, isMinor: true },
    { id: "ends", label: text.ends, cell: ({ expiresAt }) => <Time at={expiresAt} />, isMinor: true },
    { id: "state", label: text.state, cell: (invite) => <State invite={invite} failed={failed} /> },
    {
      id: "delete",
      label: text.edit,
      cell: (invite) =>
        inviteStateOf(invite) !== "used" && (
          <span class="row-actions">
            {invite.email && (
              <Button
                look="quiet"
                icon="again"
                label={text.inviteAgain(invite.email)}
                refusal={demoRefusal.value}
                onClick={() => askAgain(invite)}
              />
            )}
            <Button
              look="quiet"
              icon="trash"
              label={text.deleteInviteOf(invite.codeEnding)}
              refusal={demoRefusal.value}
              onClick={() => ask(invite)}
            />
          </span>
        ),
    },
  ];
}

/** How far an invite is, by whom it was used, and whether mail to its address is known to fail. */
function State({ invite, failed }: { invite: Invite; failed: ReadonlySet<string> }) {
  const state = inviteStateOf(invite);
  const { usedBy, email } = invite;
  return (
    <span class="line">
      <Chip tone={TONES[state]}>{text.inviteStates[state]}</Chip>
      {usedBy && <a href={pageOf(usedBy.id)}>{nameOf(usedBy)}</a>}
      {state === "open" && email && failed.has(email) && <a href="/facility/mail">{text.mailFailed}</a>}
    </span>
  );
}
