import { useState } from "preact/hooks";
import { fieldErrors } from "../../api/problem";
import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { CheckField } from "../../parts/choice-fields";
import { Dialog } from "../../parts/dialog";
import { ErrorSummary } from "../../parts/error-summary";
import { NumberField, TextArea, TextField } from "../../parts/field";
import { ShownOnce } from "../../parts/shown-once";
import { text as common } from "../../text/en/common";
import { peopleText as text } from "../../text/en/people";
import { makeMachine, type Scope } from "./state";

/** What the client on a sequencing computer needs stands first, and is chosen. */
const SCOPES = [
  "uploads:write",
  "orders:read",
  "runs:read",
  "delivery:read",
] as const satisfies readonly Scope[];

const LABELS = {
  name: text.machineName,
  addresses: text.addresses,
  scopes: text.scopes,
  expiresInDays: text.days,
};

interface Props {
  onMade: () => Promise<void>;
  onClose: () => void;
}

/** Ask for a machine, then show its token, once. */
export function MachineDialog({ onMade, onClose }: Props) {
  const [name, setName] = useState("");
  const [addresses, setAddresses] = useState("");
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set(["uploads:write"]));
  const [days, setDays] = useState("365");
  const [token, setToken] = useState<string | null>(null);
  const making = useAction(async () => {
    const made = await makeMachine({
      name,
      addresses: addresses.split(/[\s,]+/).filter(Boolean),
      scopes: SCOPES.filter((scope) => scopes.has(scope)),
      expiresInDays: Number(days),
    });
    setToken(made);
    await onMade();
  });
  const errors = fieldErrors(making.problem.value);
  if (token !== null) {
    return (
      <ShownOnce
        title={text.machineMade}
        what={text.machineMadeWhat(name)}
        value={token}
        label={text.token}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog
      title={text.newMachineTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            look="main"
            type="submit"
            form="machine"
            isBusy={making.isRunning.value}
            refusal={scopes.size === 0 ? text.scopesMissing : null}
          >
            {text.makeMachine}
          </Button>
        </>
      }
    >
      <form
        id="machine"
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
          label={text.machineName}
          help={text.machineNameHelp}
          error={errors.get("name")}
          required
          value={name}
          onInput={setName}
        />
        <TextArea
          name="addresses"
          label={text.addresses}
          help={text.addressesHelp}
          error={errors.get("addresses")}
          rows={3}
          required
          value={addresses}
          onInput={setAddresses}
        />
        <fieldset class="stack-tight">
          <legend class="field-label">{text.scopes}</legend>
          {SCOPES.map((scope) => (
            <CheckField
              key={scope}
              name={`scopes.${scope}`}
              label={text.scopeWords[scope]}
              isChecked={scopes.has(scope)}
              onChange={(isOn) => {
                const next = new Set(scopes);
                if (isOn) next.add(scope);
                else next.delete(scope);
                setScopes(next);
              }}
            />
          ))}
        </fieldset>
        <NumberField
          name="expiresInDays"
          label={text.days}
          error={errors.get("expiresInDays")}
          value={days}
          onInput={setDays}
        />
      </form>
    </Dialog>
  );
}
