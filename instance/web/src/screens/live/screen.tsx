import "../../style/screens/live.css";
import { useLive } from "../../api/live";
import { useResource } from "../../api/resource";
import { LinkButton } from "../../parts/button";
import { Chip, type Tone } from "../../parts/chip";
import { Empty } from "../../parts/empty";
import { LiveStamp } from "../../parts/live-stamp";
import { Loaded } from "../../parts/loading";
import { PageHead } from "../../parts/page-head";
import { PlateStrip } from "../../parts/plate-density";
import { Sparkline } from "../../parts/sparkline";
import { Time } from "../../parts/time";
import { bases, streamText, streamsText as text } from "../../text/en/live";
import { count } from "../../text/format";
import { type RunningStream, readRunning } from "./state";

/** Every stream that runs, of all orders. */
export function Screen() {
  const streams = useResource(readRunning, []);
  useLive(
    ["streams"],
    () => void streams.reload(),
    () => (streams.data.value ?? []).length > 0,
  );
  return (
    <div class="stack">
      <PageHead title={text.title} aside={<LiveStamp of={[streams]} />} />
      <Loaded of={streams}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={text.none} action={<LinkButton href="/orders">{text.orders}</LinkButton>}>
              {text.noneWhy}
            </Empty>
          ) : (
            <ul class="stack" aria-label={text.list}>
              {found.map((stream) => (
                <StreamCard key={stream.id} stream={stream} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  );
}

function stateOf(stream: RunningStream): [Tone, string] {
  if (stream.status === "STOPPING") return ["run", streamText.state.STOPPING];
  if (stream.vanishedAt) return ["bad", streamText.vanished];
  if (stream.finishedHintAt) return ["ok", streamText.finished];
  if (stream.stalledAt) return ["wait", streamText.stalled];
  return ["run", streamText.state.ACTIVE];
}

function StreamCard({ stream }: { stream: RunningStream }) {
  const { samples, samplesWithReads, recentBases, lastFileAt, deviceId, flowCellId } = stream;
  const [tone, state] = stateOf(stream);
  const name = stream.orderName ?? stream.orderNumber;
  const address = `/orders/${stream.orderNumber}?tab=live&stream=${stream.id}`;
  return (
    <li class="card stack-tight">
      <div class="spread">
        <h2>
          <a href={address}>{name}</a>
        </h2>
        <span class="line">
          <Sparkline values={recentBases} label={streamText.recent(name, recentBases)} />
          <Chip tone={tone}>{state}</Chip>
        </span>
      </div>
      <p class="muted line">
        <span class="mono">{stream.orderNumber}</span>
        {deviceId && (
          <span>
            {streamText.device} {deviceId}
          </span>
        )}
        {flowCellId && (
          <span>
            {streamText.flowCell} {flowCellId}
          </span>
        )}
      </p>
      <dl class="totals">
        <Fact label={streamText.bases} value={bases(Number(stream.totalBases))} />
        <Fact label={streamText.reads} value={count(stream.totalReads)} />
        <Fact label={streamText.pace} value={streamText.paceOf(stream.basesPerMinute)} />
        <div>
          <dt>{streamText.lastFile}</dt>
          <dd>{lastFileAt ? <Time at={lastFileAt} /> : streamText.noFile}</dd>
        </div>
      </dl>
      <div class="line">
        {samples > 0 && (
          <PlateStrip
            counts={{ moving: samplesWithReads, waiting: samples - samplesWithReads }}
            labels={text.plate}
          />
        )}
        <span>{text.samples(samplesWithReads, samples)}</span>
      </div>
    </li>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
