import "../../../style/screens/plans.css";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useLive } from "../../../api/live";
import { useResource } from "../../../api/resource";
import { addressWith } from "../../../parts/address";
import { Button, LinkButton } from "../../../parts/button";
import { DemoNote } from "../../../parts/demo-note";
import { Empty } from "../../../parts/empty";
import { Loaded } from "../../../parts/loading";
import { demoRefusal } from "../../../session";
import { plansText as text } from "../../../text/en/plans";
import type { TabProps } from "../tabs";
import { ImportDialog } from "./import-dialog";
import { OpenedRun } from "./opened-run";
import { PlanDrop } from "./plan-drop";
import { RunDialog } from "./run-dialog";
import { RunTable } from "./run-table";
import { readRuns, templateAddress } from "./state";

/** The sequencing runs of an order. The newest one is open, unless the address names another. */
export function Tab({ order, onChange }: TabProps) {
  const { path, query, route } = useLocation();
  const runs = useResource((signal) => readRuns(order.id, signal), [order.id]);
  const [file, setFile] = useState<File | "none" | null>(null);
  const [isMaking, setIsMaking] = useState(false);
  useLive([`order:${order.id}`], () => void runs.reload());
  const open = (runId: string): void => route(addressWith(path, query, { run: runId }), true);
  const changed = async (runId: string | null): Promise<void> => {
    await runs.reload();
    if (runId !== null) open(runId);
    await onChange();
  };
  return (
    <PlanDrop onFile={setFile} isOff={demoRefusal.value !== null || file !== null}>
      <div class="spread">
        <p class="muted">{demoRefusal.value === null && text.dropHere}</p>
        <div class="line">
          <LinkButton icon="download" href={templateAddress(order.id)} download>
            {text.template}
          </LinkButton>
          <Button icon="add" refusal={demoRefusal.value} onClick={() => setIsMaking(true)}>
            {text.newRun}
          </Button>
          <Button look="main" icon="upload" refusal={demoRefusal.value} onClick={() => setFile("none")}>
            {text.importPlan}
          </Button>
        </div>
      </div>
      <DemoNote />
      <Loaded of={runs}>
        {(found) => {
          const current = found.find(({ runId }) => runId === query.run) ?? found[0];
          if (current === undefined) return <Empty title={text.none}>{text.noneWhy}</Empty>;
          return (
            <div class="stack">
              <RunTable
                runs={found}
                current={current}
                addressOf={(run) => addressWith(path, query, { run })}
              />
              <OpenedRun key={current.id} run={current} order={order} onChange={changed} />
            </div>
          );
        }}
      </Loaded>
      {isMaking && (
        <RunDialog
          order={order}
          run={null}
          onClose={() => setIsMaking(false)}
          onSaved={(run) => changed(run.runId)}
        />
      )}
      {file !== null && (
        <ImportDialog
          order={order}
          dropped={file === "none" ? null : file}
          onClose={() => setFile(null)}
          onApplied={changed}
        />
      )}
    </PlanDrop>
  );
}
