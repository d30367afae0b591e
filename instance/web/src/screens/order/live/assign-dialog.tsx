import { useState } from "preact/hooks";
import { useAction, useList } from "../../../api/resource";
import { Button } from "../../../parts/button";
import { Dialog } from "../../../parts/dialog";
import { SelectField, TextField } from "../../../parts/field";
import { Loaded } from "../../../parts/loading";
import { ProblemNotice } from "../../../parts/problem";
import { text as common } from "../../../text/en/common";
import { liveText as text } from "../../../text/en/live";
import type { Order } from "../state";
import { assign, readSamples, SAMPLES_OFFERED, type Stream } from "./state";

interface Props {
  order: Order;
  stream: Stream;
  barcode: string;
  onChange: () => Promise<unknown>;
  onClose: () => void;
}

export function AssignDialog({ order, stream, barcode, onChange, onClose }: Props) {
  const [q, setQ] = useState("");
  const [code, setCode] = useState("");
  const samples = useList((signal) => readSamples(order.id, q, signal), [order.id, q]);
  const act = useAction(async () => {
    try {
      await assign(stream, barcode, code);
    } catch (refused) {
      // Somebody else may have changed the map: it is shown anew beside the refusal.
      await onChange();
      throw refused;
    }
    await onChange();
    onClose();
  });
  const problem = act.problem.value;
  const found = samples.data.value ?? [];
  const chosen = found.find(({ sampleId }) => sampleId === code);
  const name = chosen?.sampleAlias ?? chosen?.sampleId;
  return (
    <Dialog
      title={text.assignTitle(barcode)}
      onClose={onClose}
      isWaiting={samples.data.value === null}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            look="main"
            isBusy={act.isRunning.value}
            refusal={name ? null : text.chooseSample}
            onClick={() => void act.run()}
          >
            {name ? text.assignTo(name) : text.assign}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>{text.assignWhat}</p>
        <Loaded of={samples}>
          {() => (
            <>
              {order.counts.samples > SAMPLES_OFFERED && (
                <TextField name="q" type="search" label={text.findSample} value={q} onInput={setQ} />
              )}
              <SelectField
                name="sampleCode"
                label={text.sample}
                value={code}
                none={common.choose}
                choices={found.map(({ sampleId, sampleAlias }) => ({
                  value: sampleId,
                  label: sampleAlias ? `${sampleAlias} (${sampleId})` : sampleId,
                }))}
                onInput={setCode}
              />
            </>
          )}
        </Loaded>
        {problem && <ProblemNotice problem={problem} />}
      </div>
    </Dialog>
  );
}
