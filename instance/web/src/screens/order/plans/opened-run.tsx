import { useState } from "preact/hooks";
import { useResource } from "../../../api/resource";
import { Button, LinkButton } from "../../../parts/button";
import { ConfirmDialog } from "../../../parts/confirm-dialog";
import { Empty } from "../../../parts/empty";
import { Loaded } from "../../../parts/loading";
import { demoRefusal } from "../../../session";
import { placesText, plansText as text } from "../../../text/en/plans";
import type { Order } from "../state";
import { PlacesGrid } from "./places-grid";
import { openPlaces } from "./places-open";
import { RunDialog } from "./run-dialog";
import { SampleSheet } from "./sample-sheet";
import { deleteRun, exportAddress, type Run } from "./state";

interface Props {
  run: Run;
  order: Order;
  /** Read the runs again, and open one of this name. */
  onChange: (runId: string | null) => Promise<void>;
}

/** One run: which samples are in it with which barcode, and its sample sheet. */
export function OpenedRun({ run, order, onChange }: Props) {
  const [asked, setAsked] = useState<"edit" | "delete" | null>(null);
  const places = useResource((signal) => openPlaces(run, order, signal), [run.id]);
  const close = (): void => setAsked(null);
  const refusal = demoRefusal.value;
  return (
    <>
      <section class="stack" aria-label={placesText.title(run.runId)}>
        <div class="spread">
          <h2>{placesText.title(run.runId)}</h2>
          <div class="line">
            <LinkButton look="quiet" icon="download" href={exportAddress(run)} download>
              {text.exportRun}
            </LinkButton>
            <Button look="quiet" icon="edit" refusal={refusal} onClick={() => setAsked("edit")}>
              {text.edit}
            </Button>
            <Button
              look="quiet"
              icon="trash"
              refusal={refusal ?? (run.counts.reads > 0 ? text.hasReads : null)}
              onClick={() => setAsked("delete")}
            >
              {text.deleteRun}
            </Button>
          </div>
        </div>
        {order.counts.samples === 0 ? (
          <Empty title={text.noSamples}>{text.noSamplesWhy}</Empty>
        ) : (
          <Loaded of={places}>
            {(sheet) => <PlacesGrid sheet={sheet} run={run} onSaved={() => onChange(null)} />}
          </Loaded>
        )}
      </section>
      <SampleSheet run={run} order={order} places={places.data.value} onEdit={() => setAsked("edit")} />
      {asked === "edit" && (
        <RunDialog order={order} run={run} onClose={close} onSaved={(saved) => onChange(saved.runId)} />
      )}
      {asked === "delete" && (
        <ConfirmDialog
          title={text.deleteOf(run.runId)}
          verb={text.deleteRun}
          isDanger
          onClose={close}
          onConfirm={async () => {
            await deleteRun(run);
            await onChange(null);
          }}
        >
          {text.deleteWhat(run.counts.samples)}
        </ConfirmDialog>
      )}
    </>
  );
}
