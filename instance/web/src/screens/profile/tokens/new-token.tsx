import { useSignal } from "@preact/signals";
import { fieldErrors } from "../../../api/problem";
import { useAction } from "../../../api/resource";
import { Button } from "../../../parts/button";
import { Dialog } from "../../../parts/dialog";
import { ErrorSummary } from "../../../parts/error-summary";
import { NumberField, TextField } from "../../../parts/field";
import { isAdmin } from "../../../session";
import { text } from "../../../text/en/common";
import { type Scope, tokenText as words } from "../../../text/en/tokens";
import { ScopeFields } from "../../../tokens/scope-fields";
import { type MadeToken, makeToken } from "./state";

const USUAL_DAYS = "90";
const LABELS = { name: words.name, scopes: words.scopes, expiresInDays: words.days } as const;

interface Props {
  onMade: (made: MadeToken) => Promise<void>;
  onClose: () => void;
}

/** Name, scopes and days of a token that is to be made. */
export function NewToken({ onMade, onClose }: Props) {
  const name = useSignal("");
  const scopes = useSignal<readonly Scope[]>([]);
  const days = useSignal(USUAL_DAYS);
  const making = useAction(async () => {
    const wanted = { name: name.value, scopes: [...scopes.value], expiresInDays: Number(days.value) };
    await onMade(await makeToken(wanted));
  });
  const errors = fieldErrors(making.problem.value);
  return (
    <Dialog
      title={words.makeTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button look="main" type="submit" form="new-token" isBusy={making.isRunning.value}>
            {words.makeButton}
          </Button>
        </>
      }
    >
      <form
        id="new-token"
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void making.run();
        }}
      >
        <ErrorSummary problem={making.problem.value} labels={LABELS} />
        <TextField
          name="name"
          label={words.name}
          help={words.nameHelp}
          required
          error={errors.get("name")}
          value={name.value}
          onInput={(value) => (name.value = value)}
        />
        <ScopeFields
          chosen={scopes.value}
          isForStaff={isAdmin.value}
          error={errors.get("scopes")}
          onChange={(chosen) => (scopes.value = chosen)}
        />
        <NumberField
          name="expiresInDays"
          label={words.days}
          help={words.daysHelp}
          unit={words.daysUnit}
          required
          error={errors.get("expiresInDays")}
          value={days.value}
          onInput={(value) => (days.value = value)}
        />
      </form>
    </Dialog>
  );
}
