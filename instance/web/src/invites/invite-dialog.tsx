import { useState } from "preact/hooks";
import { api, given } from "../api/client";
import { fieldErrors } from "../api/problem";
import { useAction } from "../api/resource";
import { Button } from "../parts/button";
import { Dialog } from "../parts/dialog";
import { ErrorSummary } from "../parts/error-summary";
import { NumberField, TextField } from "../parts/field";
import { ShownOnce } from "../parts/shown-once";
import { text as common } from "../text/en/common";
import { peopleText as text } from "../text/en/people";

const LABELS = { email: text.inviteEmail, expiresInDays: text.inviteDays };
const DAYS = "14";

/** Make an invite, and return the address of its page. */
async function makeInvite(email: string, expiresInDays: number): Promise<string> {
  const body = { email: email.trim() || null, expiresInDays };
  return `${location.origin}/invite#code=${(await given(api.POST("/api/admin/invites", { body }))).code}`;
}

/** Ask for whom and how long, then show the link, once. */
export function InviteDialog({ onClose }: { onClose: (isMade: boolean) => void }) {
  const [email, setEmail] = useState("");
  const [days, setDays] = useState(DAYS);
  const [link, setLink] = useState<string | null>(null);
  const making = useAction(async () => setLink(await makeInvite(email, Number(days))));
  const errors = fieldErrors(making.problem.value);
  if (link !== null) {
    return (
      <ShownOnce
        title={text.inviteMade}
        what={text.inviteMadeWhat}
        value={link}
        label={text.link}
        onClose={() => onClose(true)}
      />
    );
  }
  return (
    <Dialog
      title={text.inviteTitle}
      onClose={() => onClose(false)}
      actions={
        <>
          <Button onClick={() => onClose(false)}>{common.cancel}</Button>
          <Button look="main" type="submit" form="invite" isBusy={making.isRunning.value}>
            {text.makeInvite}
          </Button>
        </>
      }
    >
      <form
        id="invite"
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void making.run();
        }}
      >
        <ErrorSummary problem={making.problem.value} labels={LABELS} />
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
      </form>
    </Dialog>
  );
}
