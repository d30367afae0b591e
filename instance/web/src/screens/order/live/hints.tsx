import { Chip } from "../../../parts/chip";
import { Copy } from "../../../parts/copy";
import { streamText, liveText as text } from "../../../text/en/live";
import type { Metrics, Stream } from "./state";

/** A monitor looks every few seconds; after a minute something is wrong with it. */
const SILENT_MS = 60_000;

interface Props {
  stream: Stream;
  metrics: Metrics | null;
}

export function StateChip({ stream: { status }, metrics }: Props) {
  if (status === "ACTIVE" && metrics?.vanishedAt) return <Chip tone="bad">{streamText.vanished}</Chip>;
  if (status === "ACTIVE" && metrics?.finishedHintAt) return <Chip tone="ok">{streamText.finished}</Chip>;
  if (status === "ACTIVE" && metrics?.stalledAt) return <Chip tone="wait">{streamText.stalled}</Chip>;
  return <Chip tone={status === "STOPPED" ? "calm" : "run"}>{streamText.state[status]}</Chip>;
}

/** What a person should know of the stream, one sentence each with its time. */
export function Hints({ stream, metrics }: { stream: Stream; metrics: Metrics }) {
  const warnings = warningsOf(stream, metrics);
  return (
    <>
      <div class="stack-tight" role="status">
        {warnings.map((words) => (
          <p key={words} class="notice notice-wait">
            {words}
          </p>
        ))}
      </div>
      <p class="muted line">
        <span>{sentenceOf(stream)}</span>
        <Copy value={stream.outputDir} label={text.folder.toLowerCase()} />
        {metrics.verification && <span>{verdictOf(metrics.verification)}</span>}
      </p>
    </>
  );
}

function warningsOf({ status, lastSeenAt }: Stream, metrics: Metrics): string[] {
  if (status === "STOPPED") return [];
  const { finishedHintAt, stalledAt, vanishedAt, lastFileAt } = metrics;
  const found: string[] = [];
  if (vanishedAt) found.push(text.vanishedSince(vanishedAt));
  if (finishedHintAt) found.push(text.finishedSince(finishedHintAt));
  else if (stalledAt) {
    found.push(lastFileAt ? text.stalledSince(lastFileAt, stalledAt) : text.stalledNever(stalledAt));
  }
  if (Date.now() - Date.parse(lastSeenAt) > SILENT_MS) found.push(text.silent(lastSeenAt));
  return found;
}

function sentenceOf({ status, startedAt, stoppedAt }: Stream): string {
  if (status === "STOPPING") return text.stopping;
  return status === "STOPPED" && stoppedAt ? text.stopped(stoppedAt) : text.since(startedAt);
}

function verdictOf(found: NonNullable<Metrics["verification"]>): string {
  const { verdict, listed, matched, different } = found;
  if (verdict === "ok") return text.verified.ok(listed);
  return verdict === "different"
    ? text.verified.different(different.length)
    : text.verified.incomplete(matched, listed);
}
