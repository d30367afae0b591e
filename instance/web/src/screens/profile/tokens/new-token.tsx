import { useSignal } from "@preact/signals";
import { CheckList } from "../../../parts/check-list";
import { NumberField, TextField } from "../../../parts/field";
import { FormDialog } from "../../../parts/form-dialog";
import { isAdmin } from "../../../session";
import { type Scope, tokenText as words } from "../../../text/en/tokens";
import { type MadeToken, makeToken } from "./state";

const USUAL_DAYS = "90";
const LABELS = { name: words.name, scopes: words.scopes, expiresInDays: words.days } as const;

const SCOPES: readonly Scope[] = [
  "orders:read",
  "orders:write",
  "uploads:write",
  "delivery:read",
  "runs:read",
  "runs:write",
];

interface Props {
  onMade: (made: MadeToken) => Promise<void>;
  onClose: () => void;
}

/** Name, scopes and days of a token that is to be made. */
export function NewToken({ onMade, onClose }: Props) {
  const name = useSignal("");
  const scopes = useSignal<ReadonlySet<Scope>>(new Set());
  const days = useSignal(USUAL_DAYS);
  const offered = isAdmin.value ? [...SCOPES, "admin" as const] : SCOPES;
  return (
    <FormDialog
      title={words.makeTitle}
      verb={words.makeButton}
      labels={LABELS}
      onSubmit={async () => {
        const wanted = { name: name.value, scopes: [...scopes.value], expiresInDays: Number(days.value) };
        await onMade(await makeToken(wanted));
      }}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <TextField
            name="name"
            label={words.name}
            help={words.nameHelp}
            required
            error={errors.get("name")}
            value={name.value}
            onInput={(value) => (name.value = value)}
          />
          <CheckList
            name="scopes"
            label={words.scopes}
            help={words.scopesHelp}
            error={errors.get("scopes")}
            choices={offered.map((scope) => ({ value: scope, label: words.scopeWords[scope] }))}
            chosen={scopes.value}
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
        </>
      )}
    </FormDialog>
  );
}
