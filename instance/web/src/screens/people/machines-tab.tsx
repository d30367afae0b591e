import { useState } from "preact/hooks";
import { useList } from "../../api/resource";
import { Button } from "../../parts/button";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { type Column, Table } from "../../parts/table";
import { demoRefusal } from "../../session";
import { peopleText as text } from "../../text/en/people";
import { Expiry } from "../../tokens/token-table";
import { MachineDialog } from "./machine-dialog";
import { deleteMachine, type Machine, nameOf, readMachines } from "./state";
import { inWords, LastUse } from "./tokens";

/** Sequencing computers that work with a token of their own. */
export function MachinesTab() {
  const machines = useList(readMachines, []);
  const [isMaking, setMaking] = useState(false);
  const [asked, setAsked] = useState<Machine | null>(null);
  const add = (
    <Button icon="add" refusal={demoRefusal.value} onClick={() => setMaking(true)}>
      {text.newMachine}
    </Button>
  );
  return (
    <div class="stack">
      <Loaded of={machines}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={text.noMachines} action={add}>
              {text.machinesWhy}
            </Empty>
          ) : (
            <>
              <div>{add}</div>
              <Table
                label={text.machines}
                columns={columnsOf(setAsked)}
                rows={found}
                rowId={({ id }) => id}
              />
            </>
          )
        }
      </Loaded>
      {isMaking && <MachineDialog onMade={machines.reload} onClose={() => setMaking(false)} />}
      {asked && (
        <ConfirmDialog
          title={text.deleteMachineOf(asked.name)}
          verb={text.deleteMachine}
          isDanger
          onConfirm={async () => {
            await deleteMachine(asked);
            await machines.reload();
          }}
          onClose={() => setAsked(null)}
        >
          {text.deleteMachineWhat}
        </ConfirmDialog>
      )}
    </div>
  );
}

function columnsOf(ask: (machine: Machine) => void): Column<Machine>[] {
  return [
    {
      id: "name",
      label: text.machineName,
      cell: ({ name }) => (
        <span class="person" title={name}>
          {name}
        </span>
      ),
    },
    {
      id: "addresses",
      label: text.addresses,
      cell: ({ addresses }) => <code title={addresses.join(", ")}>{addresses.join(", ")}</code>,
      isLong: true,
      isMinor: true,
    },
    {
      id: "scopes",
      label: text.scopes,
      cell: ({ scopes }) => <span class="roomy">{inWords(scopes)}</span>,
      isMinor: true,
    },
    { id: "used", label: text.used, cell: (machine) => <LastUse of={machine} />, isMinor: true },
    { id: "ends", label: text.ends, cell: ({ expiresAt }) => <Expiry at={expiresAt} /> },
    {
      id: "by",
      label: text.madeBy,
      cell: ({ createdBy }) => <span class="person">{nameOf(createdBy)}</span>,
      isMinor: true,
    },
    {
      id: "delete",
      label: text.deleteMachine,
      cell: (machine) => (
        <Button
          look="quiet"
          icon="trash"
          label={text.deleteMachineOf(machine.name)}
          refusal={demoRefusal.value}
          onClick={() => ask(machine)}
        />
      ),
    },
  ];
}
