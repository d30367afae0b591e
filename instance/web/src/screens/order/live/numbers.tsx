import type { ComponentChildren } from "preact";
import { Time } from "../../../parts/time";
import { bases, length, quality, streamText, liveText as text } from "../../../text/en/live";
import { count } from "../../../text/format";
import type { Metrics, Stream } from "./state";

/** What a person looks at first. */
export function Numbers({
  stream,
  metrics: { totals, basesPerMinute, lastFileAt },
}: {
  stream: Stream;
  metrics: Metrics;
}) {
  const shown: [string, ComponentChildren][] = [
    [streamText.bases, bases(totals.bases)],
    [streamText.reads, count(totals.reads)],
    [text.n50, length(totals.n50)],
    [text.meanQuality, quality(totals.meanQuality)],
    [streamText.pace, stream.status === "STOPPED" ? "–" : streamText.paceOf(basesPerMinute)],
    [text.files, count(totals.files)],
    [streamText.lastFile, lastFileAt ? <Time at={lastFileAt} /> : streamText.noFile],
  ];
  return (
    <dl class="totals">
      {shown.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
