import { useEffect, useState } from "preact/hooks";
import { useLive } from "../../api/live";
import { type Resource, useResource } from "../../api/resource";
import { Button } from "../../parts/button";
import { ChooseSamples } from "../../parts/choose-samples";
import { Loaded } from "../../parts/loading";
import { type Column, Table } from "../../parts/table";
import { demoRefusal } from "../../session";
import { sequencedText as text } from "../../text/en/sequenced-reads";
import { list } from "../../text/format";
import { fileReads, type Run, readSequenced, type Sequenced, type SequencedSample } from "./state";

const AGAIN_MS = 5000;

const isFileable = ({ state, problems }: SequencedSample): boolean =>
  problems.length === 0 && (state === "open" || state === "failed");

const isFiling = (found: Sequenced | null): boolean =>
  found?.samples.some(({ state }) => state === "queued") ?? false;

/** An attempt that fails changes nothing that hints are sent of, so what is queued is looked at again. */
function useWhileFiling(sequenced: Resource<Sequenced>): void {
  const hasQueued = isFiling(sequenced.data.value);
  useEffect(() => {
    if (!hasQueued) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void sequenced.reload();
    }, AGAIN_MS);
    return () => clearInterval(timer);
  }, [hasQueued]);
}

/** The reads that a run made of a sequencing run: what keeps them from being filed, and how far filing is. */
export function Tab({ run }: { run: Run }) {
  const sequenced = useResource((signal) => readSequenced(run.id, signal), [run.id]);
  useLive(
    [`run:${run.id}`, `order:${run.orderId}`],
    () => void sequenced.reload(),
    () => isFiling(sequenced.data.value),
  );
  useWhileFiling(sequenced);
  return (
    <section class="card stack-tight" aria-labelledby="run-sequenced">
      <h2 id="run-sequenced">{text.title}</h2>
      <Loaded of={sequenced}>
        {(found) => (
          <>
            <div class="spread">
              <Progress samples={found.samples} />
              <FileButton run={run} found={found} onChange={sequenced.reload} />
            </div>
            <Table
              label={text.table}
              columns={COLUMNS}
              rows={found.samples}
              rowId={({ sampleId }) => sampleId}
            />
          </>
        )}
      </Loaded>
    </section>
  );
}

function Progress({ samples }: { samples: readonly SequencedSample[] }) {
  const filed = samples.filter(({ state }) => state === "filed").length;
  const asked = samples.filter(({ state }) => state !== "open").length;
  if (asked === 0) return <p>{text.what}</p>;
  return (
    <div class="line" role="status">
      <progress max={asked} value={filed} aria-label={text.filing} />
      <span>{text.filed(filed, asked)}</span>
    </div>
  );
}

interface FileProps {
  run: Run;
  found: Sequenced;
  onChange: () => Promise<void>;
}

function FileButton(props: FileProps) {
  const [isAsked, setIsAsked] = useState(false);
  const open = props.found.samples.filter(isFileable);
  return (
    <>
      <Button
        look={open.length > 0 && demoRefusal.value === null ? "main" : "plain"}
        refusal={demoRefusal.value ?? (open.length > 0 ? null : text.nothingLeft)}
        onClick={() => setIsAsked(true)}
      >
        {text.file}
      </Button>
      {isAsked && <FileDialog {...props} open={open} onClose={() => setIsAsked(false)} />}
    </>
  );
}

function FileDialog(props: FileProps & { open: readonly SequencedSample[]; onClose: () => void }) {
  const { run, found, open, onChange, onClose } = props;
  const bad = found.samples.filter(({ problems }) => problems.length > 0).length;
  return (
    <ChooseSamples
      title={text.dialog(run.runNumber)}
      what={text.dialogWhat(found.dataClass)}
      notice={bad > 0 ? text.leftOut(bad) : undefined}
      verb={text.fileN}
      samples={open.map(({ sampleId, sampleCode, file1, file2, currentRead }) => ({
        id: sampleId,
        label: sampleCode,
        help: text.change(file1.length + file2.length, currentRead !== null),
      }))}
      onChosen={async (ids) => {
        await fileReads(run.id, ids);
        await onChange();
      }}
      onClose={onClose}
    />
  );
}

const COLUMNS: readonly Column<SequencedSample>[] = [
  { id: "sample", label: text.sample, cell: ({ sampleCode }) => <span class="mono">{sampleCode}</span> },
  { id: "r1", label: "R1", cell: ({ file1 }) => text.files(file1.length), isNumber: true, isMinor: true },
  { id: "r2", label: "R2", cell: ({ file2 }) => text.files(file2.length), isNumber: true, isMinor: true },
  { id: "state", label: text.state, cell: ({ state }) => text.states[state] },
  { id: "why", label: text.why, cell: ({ problems, error }) => list(error === null ? problems : [error]) },
];
