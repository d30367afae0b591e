import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useResource } from "../../../api/resource";
import { Button, LinkButton } from "../../../parts/button";
import { Chip } from "../../../parts/chip";
import { Copy } from "../../../parts/copy";
import { Dialog } from "../../../parts/dialog";
import { Empty } from "../../../parts/empty";
import { Loaded } from "../../../parts/loading";
import { Time } from "../../../parts/time";
import { isPlace } from "../../../place";
import { demoRefusal } from "../../../session";
import { readsText, drawerText as text, workText } from "../../../text/en/reads";
import { count, size } from "../../../text/format";
import type { Order } from "../state";
import type { ReadAction } from "./actions";
import { filesOf, type ReadFile } from "./files";
import { Md5 } from "./md5";
import { downloadOf, type PastRead, readHistory } from "./state";
import { type Subject, subjectOf } from "./subjects";

interface Props {
  order: Order;
  /** The code of the sample. */
  sample: string;
  changes: number;
  onAction: (action: ReadAction, subjects: readonly Subject[]) => void;
  onClose: () => void;
}

/** The reads that a sample has and had, and where each came from. */
export function SampleDrawer({ order, sample, changes, onAction, onClose }: Props) {
  const history = useResource((signal) => readHistory(order.id, sample, signal), [order.id, sample]);
  useEffect(() => {
    if (changes > 0) void history.reload();
  }, [changes]);
  const label = history.data.value?.sample.sampleAlias ?? sample;
  return (
    <Dialog title={text.title(label)} onClose={onClose} isDrawer isWaiting={history.data.value === null}>
      <Loaded of={history}>
        {({ sample: found, reads }) => (
          <div class="stack">
            <p class="line">
              <Copy value={found.sampleId} label={readsText.code.toLowerCase()} />
            </p>
            {reads.length === 0 && <Empty title={text.none}>{text.noneWhy}</Empty>}
            {reads.map((past) => (
              <Past
                key={past.read.id}
                past={past}
                onAction={(action) => onAction(action, [subjectOf(label, past)])}
              />
            ))}
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}

function Past({ past, onAction }: { past: PastRead; onAction: (action: ReadAction) => void }) {
  const { read, isDelivered } = past;
  // Who linked it is said above; here only what was noted then.
  const changes = past.changes.filter(({ action, note }) => action !== "read-linked" || note);
  const files = filesOf(read);
  const refusal = demoRefusal.value;
  return (
    <section class="card stack-tight" aria-label={text.readOf(read.createdAt)}>
      <div class="line">
        <Chip tone={read.isActive ? "ok" : "calm"}>{read.isActive ? text.inUse : text.superseded}</Chip>
        <span>{readsText.classes[read.dataClass]}</span>
        {isDelivered && <Chip tone="run">{text.delivered}</Chip>}
      </div>
      <p>
        <Origin past={past} />
      </p>
      {files.length === 0 && <p class="muted">{text.noFiles}</p>}
      {files.map((file) => (
        <FileOf key={file.mate} file={file} past={past} />
      ))}
      {changes.length > 0 && (
        <ul class="reads-changes muted">
          {changes.map((change) => (
            <li key={`${change.at} ${change.action}`}>
              {text.change(change)} <Time at={change.at} />
              {change.note && <q>{change.note}</q>}
            </li>
          ))}
        </ul>
      )}
      {files.length > 0 && (
        <div class="line">
          <Button refusal={refusal} onClick={() => onAction("class")}>
            {workText.classVerb}
          </Button>
          <Button refusal={refusal} onClick={() => onAction("md5")}>
            {workText.md5Verb}
          </Button>
          {read.isActive && (
            <Button refusal={refusal} onClick={() => onAction("remove")}>
              {workText.removeVerb}
            </Button>
          )}
          <Button icon="trash" look="danger" refusal={refusal} onClick={() => onAction("delete")}>
            {workText.deleteVerb(files.length)}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Where a read came from: who uploaded it, a run that made it, a sequencer's stream, or a file on disk. */
function Origin({ past: { read, sequencingRun, pipelineRun, files, changes } }: { past: PastRead }) {
  const uploader = files.find(({ uploadedBy }) => uploadedBy)?.uploadedBy;
  const linker = changes.find(({ action }) => action === "read-linked")?.by;
  return (
    <>
      {text.origin(read.source, uploader ?? linker ?? null)}
      {pipelineRun && (
        <>
          {" "}
          <RunNumber number={pipelineRun.runNumber} />
        </>
      )}
      , <Time at={read.createdAt} />
      {sequencingRun && (
        <>
          , {text.sequencingRun} <code>{sequencingRun.runId}</code>
        </>
      )}
    </>
  );
}

function RunNumber({ number }: { number: string }) {
  const address = `/runs/${number}`;
  if (!isPlace(address)) return <code>{number}</code>;
  return (
    <a class="mono" href={address}>
      {number}
    </a>
  );
}

function FileOf({ file, past: { files } }: { file: ReadFile; past: PastRead }) {
  const known = files.find(({ mate }) => mate === file.mate);
  const facts = [
    file.size === null ? null : size(file.size),
    file.reads === null ? null : text.reads(count(file.reads)),
    file.quality === null ? null : readsText.qualityOf(file.quality),
  ].filter((fact) => fact !== null);
  return (
    <div class="reads-of-file">
      <p class="line">
        <strong>{file.mate}</strong>
        <LinkButton look="link" href={downloadOf(file.path)} download refusal={demoRefusal.value}>
          {file.name}
        </LinkButton>
        {known && !known.isOnDisk && <Chip tone="bad">{text.gone}</Chip>}
      </p>
      <p class="muted reads-path">{file.path}</p>
      {facts.length > 0 && <p>{facts.join(", ")}</p>}
      <Line label={readsText.check}>{checkOf(file)}</Line>
      <Line label={readsText.md5}>
        {file.checksum && <Copy value={file.checksum} label={text.md5Of(file.name)} />}{" "}
        {known && <Md5 state={known.md5State} />}
      </Line>
    </div>
  );
}

function Line({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="line reads-line">
      <span class="muted">{label}</span> <span>{children}</span>
    </div>
  );
}

/** What the examination found, each part in words. */
function checkOf({ intake }: ReadFile): string {
  if (intake === null) return readsText.verdict.unchecked;
  if (intake.problems.length > 0) return intake.problems.join(". ");
  return text.found(intake);
}
