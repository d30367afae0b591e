import "../style/parts/results.css";
import { useState } from "preact/hooks";
import { useAction, useResource } from "../api/resource";
import { Button } from "../parts/button";
import { Dialog } from "../parts/dialog";
import { Empty } from "../parts/empty";
import { Loaded } from "../parts/loading";
import { ProblemNotice } from "../parts/problem";
import { type Column, Table } from "../parts/table";
import { toast } from "../parts/toast";
import { demoRefusal } from "../session";
import { text as common } from "../text/en/common";
import { resultText as text } from "../text/en/results";
import { type Candidate, type DecidedRun, openPairs, promote, readCandidates, type Stakes } from "./state";

interface Props {
  run: DecidedRun;
  stakes: Stakes;
  onChange: () => Promise<void>;
}

/** Let the reads that a run offers become the reads of their samples; shown before, pair by pair. */
export function PromoteButton({ run, stakes, onChange }: Props) {
  const [isAsked, setIsAsked] = useState(false);
  const { open, promoted } = run.readCandidates ?? { open: 0, promoted: 0 };
  return (
    <>
      {open > 0 && (
        <Button refusal={demoRefusal.value} onClick={() => setIsAsked(true)}>
          {text.promote(open)}
        </Button>
      )}
      {promoted > 0 && <p class="muted">{text.alreadyPromoted(promoted)}</p>}
      {isAsked && (
        <PromoteDialog run={run} stakes={stakes} onChange={onChange} onClose={() => setIsAsked(false)} />
      )}
    </>
  );
}

function PromoteDialog({ run, stakes, onChange, onClose }: Props & { onClose: () => void }) {
  const candidates = useResource((signal) => readCandidates(run.id, signal), [run.id]);
  const pairs = openPairs(candidates.data.value?.readCandidates ?? []);
  const act = useAction(async () => {
    const sampleIds = pairs.map(({ sampleId }) => sampleId);
    toast(text.promoted(await promote(run.id, sampleIds)));
    await onChange();
    onClose();
  });
  const problem = act.problem.value;
  return (
    <Dialog
      title={text.promoteTitle(pairs.length || (run.readCandidates?.open ?? 0), run.runNumber)}
      onClose={onClose}
      isWide
      isWaiting={candidates.data.value === null}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            look="main"
            isBusy={act.isRunning.value}
            refusal={pairs.length === 0 ? text.nothingLeft : null}
            onClick={() => void act.run()}
          >
            {text.promote(pairs.length)}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>{text.promoteWhat}</p>
        {stakes.isReleased && <p class="notice notice-wait">{text.promoteReleased}</p>}
        {problem && <ProblemNotice problem={problem} />}
        <Loaded of={candidates}>
          {() =>
            pairs.length === 0 ? (
              <Empty title={text.nothingLeft}>{text.nothingLeftWhy}</Empty>
            ) : (
              <div class="promoted-pairs">
                <Table
                  label={text.pairs}
                  columns={COLUMNS}
                  rows={pairs}
                  rowId={({ artifactId }) => artifactId}
                />
              </div>
            )
          }
        </Loaded>
      </div>
    </Dialog>
  );
}

const fileName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function Files({ of }: { of: readonly (string | null)[] }) {
  const names = of.filter((path) => path !== null).map(fileName);
  if (names.length === 0) return <span class="muted">{text.noRead}</span>;
  return (
    <span class="files-of-read mono">
      {names.map((name) => (
        <span key={name} title={name}>
          {name}
        </span>
      ))}
    </span>
  );
}

const COLUMNS: Column<Candidate>[] = [
  { id: "sample", label: text.sample, cell: ({ sampleCode }) => <span class="mono">{sampleCode}</span> },
  {
    id: "now",
    label: text.now,
    cell: ({ currentRead }) => <Files of={[currentRead?.file1 ?? null, currentRead?.file2 ?? null]} />,
  },
  { id: "then", label: text.after, cell: ({ file1, file2 }) => <Files of={[file1, file2]} /> },
  {
    id: "becomes",
    label: text.becomes,
    cell: ({ currentRead }) => {
      if (currentRead === null) return <span class="muted">{text.nothingBefore}</span>;
      return currentRead.isProtectedRaw ? text.keptRaw : text.kept;
    },
  },
];
