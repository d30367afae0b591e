import { useMemo } from "preact/hooks";
import { Plot } from "../../../parts/plot";
import { bases, length, quality, streamText, liveText as text } from "../../../text/en/live";
import { clock, count, exactTime } from "../../../text/format";
import { Bars } from "./bars";
import { Figure } from "./figure";
import { lengthSeries, qualitySeries, yieldSeries } from "./series";
import type { Metrics } from "./state";

const clockOf = (seconds: number): string => clock(new Date(1000 * seconds));
const lengthOf = (power: number): string => length(Math.round(2 ** power));
const qualityOf = (from: number): string => quality(from);

export function Figures({ metrics }: { metrics: Metrics }) {
  const byTime = useMemo(() => yieldSeries(metrics), [metrics]);
  const lengths = useMemo(() => lengthSeries(metrics), [metrics]);
  const qualities = useMemo(() => qualitySeries(metrics), [metrics]);
  const yields = useMemo(() => [byTime.total, byTime.perMinute], [byTime]);
  const lengthReads = useMemo(() => [lengths.reads], [lengths]);
  const qualityReads = useMemo(() => [qualities.reads], [qualities]);
  const isEmpty = metrics.totals.reads === 0;
  return (
    <section class="live-figures" aria-label={text.figures}>
      <Figure
        title={text.yield}
        isEmpty={isEmpty}
        columns={[text.time, streamText.reads, text.cumulative, text.perMinute]}
        rows={() =>
          metrics.yield.map((point) => [
            exactTime(new Date(point.start)),
            count(point.reads),
            bases(byTime.total[byTime.x.indexOf(Date.parse(point.start) / 1000)] ?? 0),
            bases(point.basesPerMinute),
          ])
        }
      >
        <Plot
          x={byTime.x}
          values={yields}
          isTime
          formatX={clockOf}
          series={[
            { label: text.cumulative, ink: "series-1", kind: "line", format: bases },
            { label: text.perMinute, ink: "series-2", kind: "line", format: bases },
          ]}
        />
      </Figure>
      <Bars metrics={metrics} />
      <Figure
        title={text.lengths}
        isEmpty={isEmpty}
        columns={[text.from, streamText.reads, streamText.bases]}
        rows={() =>
          metrics.readLengths.map((step) => [
            `${count(step.fromLength)} b`,
            count(step.reads),
            bases(step.bases),
          ])
        }
      >
        <Plot
          x={lengths.x}
          values={lengthReads}
          formatX={lengthOf}
          series={[{ label: streamText.reads, ink: "series-1", kind: "bars", format: count }]}
        />
      </Figure>
      <Figure
        title={text.qualities}
        isEmpty={isEmpty}
        columns={[text.from, streamText.reads, streamText.bases]}
        rows={() =>
          metrics.readQualities.map((step) => [
            quality(step.fromQuality),
            count(step.reads),
            bases(step.bases),
          ])
        }
      >
        <Plot
          x={qualities.x}
          values={qualityReads}
          formatX={qualityOf}
          series={[{ label: streamText.reads, ink: "series-3", kind: "bars", format: count }]}
        />
      </Figure>
    </section>
  );
}
