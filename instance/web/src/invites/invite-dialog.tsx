import { useState } from "preact/hooks";
import { api, given } from "../api/client";
import { NumberField, TextField } from "../parts/field";
import { MadeOnce } from "../parts/made-once";
import { peopleText as text } from "../text/en/people";

const LABELS = { email: text.inviteEmail, expiresInDays: text.inviteDays };
const DAYS = "14";

const makeInvite = (email: string, expiresInDays: number) =>
  given(api.POST("/api/admin/invites", { body: { email: email.trim() || null, expiresInDays } }));

interface Props {
  /** Whom it is for, when that is known. */
  email?: string;
  onClose: (isMade: boolean) => void;
}

/** Ask for whom and how long, then show the link, once. */
export function InviteDialog({ email: known = "", onClose }: Props) {
  const [email, setEmail] = useState(known);
  const [days, setDays] = useState(DAYS);
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  return (
    <MadeOnce
      title={text.inviteTitle}
      verb={text.makeInvite}
      labels={LABELS}
      onMake={async () => {
        const { invite, code, mailed } = await makeInvite(email, Number(days));
        if (mailed) setMailedTo(invite.email);
        return `${location.origin}/invite#code=${code}`;
      }}
      made={{
        title: text.inviteMade,
        what: mailedTo === null ? text.inviteMadeWhat : text.inviteMailed(mailedTo),
        label: text.link,
      }}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p>{text.inviteWhy}</p>
          <TextField
            name="email"
            type="email"
            label={text.inviteEmail}
            help={text.inviteEmailHelp}
            error={errors.get("email")}
            value={email}
            onInput={setEmail}
          />
          <NumberField
            name="expiresInDays"
            label={text.inviteDays}
            error={errors.get("expiresInDays")}
            value={days}
            onInput={setDays}
          />
        </>
      )}
    </MadeOnce>
  );
}
