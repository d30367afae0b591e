import { Chip } from "../../parts/chip";
import { Time } from "../../parts/time";
import { isPlace } from "../../place";
import { homeText as text } from "../../text/en/my-work";
import type { Overview, Running } from "./state";

/** What goes on by itself, and the disk that it fills. */
export function RunningNow({ overview }: { overview: Overview }) {
  const { running, runningCount, disk } = overview;
  return (
    <div class="stack">
      <section class="stack" aria-label={text.running}>
        <h2>{text.running}</h2>
        <div class="card stack-tight">
          {running.length === 0 && <p class="muted">{text.nothingRunning}</p>}
          <ul class="queue">
            {running.map((one) => (
              <RunningLine key={`${one.kind} ${one.since} ${addressOf(one)}`} one={one} />
            ))}
          </ul>
          {runningCount > running.length && <p class="muted">{text.more(runningCount - running.length)}</p>}
        </div>
      </section>
      {disk && (
        <section class="stack" aria-label={text.disk}>
          <h2>{text.disk}</h2>
          <div class="card stack-tight">
            <meter
              aria-label={text.disk}
              min={0}
              max={disk.totalBytes}
              high={disk.totalBytes * 0.95}
              value={disk.totalBytes - disk.freeBytes}
            />
            <p>{text.diskFree(disk.freeBytes, disk.totalBytes)}</p>
          </div>
        </section>
      )}
    </div>
  );
}

function RunningLine({ one }: { one: Running }) {
  const address = addressOf(one);
  const name = one.run?.runNumber ?? one.order?.name ?? one.order?.orderNumber ?? one.study?.title;
  return (
    <li class="stack-tight">
      <span class="line">
        <Chip tone={one.isStalled ? "wait" : "run"}>{text.kindOfRunning[one.kind]}</Chip>
        {isPlace(address) ? <a href={address}>{name}</a> : name}
      </span>
      {one.progress !== undefined && <progress max={100} value={one.progress} aria-label={name} />}
      <span class="muted">
        {figuresOf(one).map((figure) => `${figure}, `)}
        <Time at={one.since} />
      </span>
    </li>
  );
}

function addressOf({ run, order }: Running): string {
  if (run) return `/runs/${run.runNumber}`;
  return order ? `/orders/${order.orderNumber}` : "/live";
}

function figuresOf({
  progress,
  files,
  receivedBytes,
  expectedBytes,
  totalReads,
  isStalled,
}: Running): string[] {
  return [
    progress !== undefined && text.percent(progress),
    files !== undefined && text.files(files),
    receivedBytes !== undefined && expectedBytes !== undefined && text.received(receivedBytes, expectedBytes),
    totalReads !== undefined && text.reads(totalReads),
    isStalled && text.stalled,
  ].filter((figure) => typeof figure === "string");
}
