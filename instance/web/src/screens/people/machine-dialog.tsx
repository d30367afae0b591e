import { useState } from "preact/hooks";
import { CheckList } from "../../parts/check-list";
import { NumberField, TextArea, TextField } from "../../parts/field";
import { MadeOnce } from "../../parts/made-once";
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
  const [scopes, setScopes] = useState<ReadonlySet<(typeof SCOPES)[number]>>(new Set(["uploads:write"]));
  const [days, setDays] = useState("365");
  return (
    <MadeOnce
      title={text.newMachineTitle}
      verb={text.makeMachine}
      labels={LABELS}
      refusal={scopes.size === 0 ? text.scopesMissing : null}
      onMake={async () => {
        const token = await makeMachine({
          name,
          addresses: addresses.split(/[\s,]+/).filter(Boolean),
          scopes: SCOPES.filter((scope) => scopes.has(scope)),
          expiresInDays: Number(days),
        });
        await onMade();
        return token;
      }}
      made={{ title: text.machineMade, what: text.machineMadeWhat(name), label: text.token }}
      onClose={onClose}
    >
      {(errors) => (
        <>
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
          <CheckList
            name="scopes"
            label={text.scopes}
            error={errors.get("scopes")}
            choices={SCOPES.map((scope) => ({ value: scope, label: text.scopeWords[scope] }))}
            chosen={scopes}
            onChange={setScopes}
          />
          <NumberField
            name="expiresInDays"
            label={text.days}
            error={errors.get("expiresInDays")}
            value={days}
            onInput={setDays}
          />
        </>
      )}
    </MadeOnce>
  );
}
