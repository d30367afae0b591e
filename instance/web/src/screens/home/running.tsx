import { Chip } from "../../parts/chip";
import { Time } from "../../parts/time";
import { isPlace } from "../../place";
import { homeText as text } from "../../text/en/my-work";
import { usePaces } from "./pace";
import type { Overview, Running } from "./state";

/** What goes on by itself, and the disk that it fills. */
export function RunningNow({ overview }: { overview: Overview }) {
  const { running, runningCount, disk, counts } = overview;
  const paceOf = usePaces(overview);
  return (
    <div class="stack">
      <section class="stack" aria-label={text.running}>
        <h2>{text.running}</h2>
        <div class="card stack-tight">
          {running.length === 0 && <p class="muted">{text.nothingRunning}</p>}
          <ul class="queue">
            {running.map((one) => (
              <RunningLine
                key={`${one.kind} ${one.streamRunId ?? addressOf(one)}`}
                one={one}
                pace={one.order ? paceOf(one.order.id) : null}
              />
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
            {counts.DISK_LOW !== undefined && <p>{text.diskLow}</p>}
          </div>
        </section>
      )}
    </div>
  );
}

function RunningLine({ one, pace }: { one: Running; pace: number | null }) {
  const address = addressOf(one);
  const name = one.run?.runNumber ?? one.order?.name ?? one.order?.orderNumber ?? one.study?.title;
  const about = one.run ? (one.order?.name ?? one.order?.orderNumber ?? one.study?.title) : undefined;
  return (
    <li class="stack-tight">
      <span class="line">
        <Chip tone={one.isStalled ? "wait" : "run"}>{text.kindOfRunning[one.kind]}</Chip>
        {isPlace(address) ? <a href={address}>{name}</a> : name}
        {about && <span class="muted">{about}</span>}
      </span>
      {one.queue && <span>{text.inQueue(one.queue.position, one.queue.reason)}</span>}
      {one.progress !== undefined && <progress max={100} value={one.progress} aria-label={name} />}
      <span class="muted">
        {figuresOf(one, pace).map((figure) => `${figure}, `)}
        {text.since[one.status ?? one.kind]} <Time at={one.since} />
      </span>
    </li>
  );
}

function addressOf({ kind, run, order }: Running): string {
  const ofRun = run && `/runs/${run.runNumber}`;
  if (ofRun && (!order || isPlace(ofRun))) return ofRun;
  const tab = { RUN: "analyses", STREAM: "live", UPLOAD: "reads" }[kind];
  return order ? `/orders/${order.orderNumber}?tab=${tab}` : "/live";
}

function figuresOf(one: Running, pace: number | null): string[] {
  const { progress, status, files, receivedBytes, expectedBytes, totalReads, isStalled } = one;
  const isOfBytes = receivedBytes !== undefined && expectedBytes !== undefined;
  return [
    status && text.runState[status],
    progress !== undefined && !(status && text.runState[status]) && text.percent(progress),
    files !== undefined && text.files(files),
    isOfBytes && text.received(receivedBytes, expectedBytes),
    pace !== null && text.pace(pace),
    pace !== null && isOfBytes && text.left((expectedBytes - receivedBytes) / pace),
    totalReads !== undefined && text.reads(totalReads),
    isStalled && text.stalled,
  ].filter((figure): figure is string => typeof figure === "string" && figure !== "");
}
