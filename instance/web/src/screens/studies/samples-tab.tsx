import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useAction } from "../../api/resource";
import { addressWith } from "../../parts/address";
import { Button } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { Empty } from "../../parts/empty";
import { ProblemNotice } from "../../parts/problem";
import { type SavedColumn, SaveList } from "../../parts/saved-list";
import { SearchField } from "../../parts/search-field";
import { Table } from "../../parts/table";
import { toast } from "../../parts/toast";
import { demoRefusal } from "../../session";
import { text as common } from "../../text/en/common";
import { text } from "../../text/en/studies";
import { sampleName } from "./columns";
import { OrderChoice } from "./order-choice";
import { addSamplesOf, putIn, type Sample, takeOut } from "./state";
import type { StudyProps } from "./study";

/** Which samples are in the study; they join from orders, and leave one by one. */
export function SamplesTab({ study, of }: StudyProps) {
  const [isAdding, setAdding] = useState(false);
  const { path, query, route } = useLocation();
  const { q = "" } = query;
  const bringBack = useAction(async ({ id }: Sample) => {
    await putIn(study.id, [id]);
    await of.reload();
  });
  const remove = useAction(async (sample: Sample) => {
    const gone = await takeOut(study.id, [sample.id]);
    await of.reload();
    toast(text.removed(gone), () => void bringBack.run(sample));
  });
  const add = (
    <Button
      look={study.samples.length === 0 ? "main" : "plain"}
      icon="add"
      refusal={demoRefusal.value}
      onClick={() => setAdding(true)}
    >
      {text.addSamples}
    </Button>
  );
  const problem = remove.problem.value ?? bringBack.problem.value;
  const shown = study.samples.filter((sample) => fits(sample, q));
  const columns = columnsWith((sample) => void remove.run(sample));
  return (
    <div class="stack">
      {problem && <ProblemNotice problem={problem} />}
      {study.samples.length === 0 ? (
        <Empty title={text.noSamples} action={add}>
          {text.noSamplesWhy}
        </Empty>
      ) : (
        <>
          <div class="spread">
            <search class="line list-bar">
              <SearchField
                name="samples"
                label={text.searchSamples}
                placeholder={text.searchSamplesHint}
                words={q}
                onSearch={(words) => route(addressWith(path, query, { q: words }), true)}
              />
            </search>
            <div class="line">
              <SaveList file="samples.csv" columns={columns} rows={shown} />
              {add}
            </div>
          </div>
          {shown.length === 0 ? (
            <Empty title={text.noSampleFits} />
          ) : (
            <Table label={text.samples} rows={shown} rowId={({ id }) => id} columns={columns} />
          )}
        </>
      )}
      {isAdding && (
        <AddDialog
          onClose={() => setAdding(false)}
          onAdd={async (orders) => {
            const added = await addSamplesOf(study.id, orders);
            await of.reload();
            toast(text.added(added));
          }}
        />
      )}
    </div>
  );
}

function fits({ sampleAlias, sampleId, scientificName, taxId }: Sample, words: string): boolean {
  const wanted = words.toLowerCase();
  return [sampleAlias, sampleId, scientificName, taxId].some((word) => word?.toLowerCase().includes(wanted));
}

function columnsWith(takeOut: (sample: Sample) => void): SavedColumn<Sample>[] {
  return [
    { id: "sample", label: text.sample, cell: sampleName, saved: sampleName },
    {
      id: "code",
      label: text.code,
      cell: ({ sampleId }) => <span class="mono">{sampleId}</span>,
      isMinor: true,
      saved: ({ sampleId }) => sampleId,
    },
    {
      id: "organism",
      label: text.organism,
      cell: ({ scientificName }) => scientificName ?? "–",
      saved: ({ scientificName }) => scientificName ?? "",
    },
    {
      id: "taxId",
      label: text.taxId,
      cell: ({ taxId }) => taxId ?? "–",
      isMinor: true,
      saved: ({ taxId }) => taxId ?? "",
    },
    {
      id: "out",
      label: text.takeOut,
      cell: (sample) => (
        <Button
          look="quiet"
          icon="close"
          label={text.takeOutOf(sampleName(sample))}
          refusal={demoRefusal.value}
          onClick={() => takeOut(sample)}
        />
      ),
    },
  ];
}

interface AddProps {
  onClose: () => void;
  onAdd: (orders: ReadonlySet<string>) => Promise<void>;
}

function AddDialog({ onClose, onAdd }: AddProps) {
  const [orders, setOrders] = useState<ReadonlySet<string>>(new Set());
  const add = useAction(async (chosen: ReadonlySet<string>) => {
    await onAdd(chosen);
    onClose();
  });
  const problem = add.problem.value;
  return (
    <Dialog
      title={text.addSamples}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="main" isBusy={add.isRunning.value} onClick={() => void add.run(orders)}>
            {text.addSamples}
          </Button>
        </>
      }
    >
      <div class="stack">
        {problem && <ProblemNotice problem={problem} />}
        <OrderChoice chosen={orders} onChange={setOrders} />
      </div>
    </Dialog>
  );
}
