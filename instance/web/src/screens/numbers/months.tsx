import { useMemo } from "preact/hooks";
import { Plot } from "../../parts/plot";
import { Table } from "../../parts/table";
import { Time } from "../../parts/time";
import { numbersText as text } from "../../text/en/numbers";
import { outputColumns } from "./output-tables";
import type { Month } from "./state";
import { Sum } from "./sum";
import { unitOf } from "./turnaround-axis";

const nameOf = (place: number): string => (Number.isInteger(place) ? text.shortMonth(place) : "");

const wholeOf = ({ turnaround }: Month) => turnaround.find(({ interval }) => interval === "whole");

const deliveredIn = (month: Month): number =>
  (wholeOf(month)?.orders ?? 0) + (wholeOf(month)?.ordersUnknown ?? 0);

const medianOf = (month: Month): number | null => wholeOf(month)?.medianSeconds ?? null;

/** The months of the year as plots, and as the table that says the same. */
export function Months({ months }: { months: readonly Month[] }) {
  return (
    <div class="stack-tight">
      <h2>{text.byMonth}</h2>
      <Plots months={months} />
      <Table
        label={text.byMonth}
        columns={[
          { id: "month", label: text.month, cell: ({ month }) => text.monthOf(month) },
          ...outputColumns<Month>(({ output }) => output),
          {
            id: "delivered",
            label: text.delivered,
            isNumber: true,
            cell: (month) => (
              <Sum of={text.deliveredOf(wholeOf(month)?.orders ?? 0, wholeOf(month)?.ordersUnknown ?? 0)} />
            ),
          },
          {
            id: "median",
            label: text.wholeMedian,
            isNumber: true,
            cell: (month) => text.time(medianOf(month)),
          },
          {
            id: "counted",
            label: text.counted,
            isMinor: true,
            cell: ({ countedAt }) => <Time at={countedAt} />,
          },
        ]}
        rows={months}
        rowId={({ month }) => month}
      />
    </div>
  );
}

interface PlotProps {
  title: string;
  values: readonly (readonly (number | null)[])[];
  label: string;
  ink: string;
  format: (value: number) => string;
  /** What is said instead where there is none. */
  none: string;
}

const plotsOf = (months: readonly Month[]): PlotProps[] => [
  {
    title: text.ordersPlot,
    values: [months.map(({ output }) => output.orders)],
    label: text.orders,
    ink: "series-1",
    format: text.whole,
    none: text.noOrders,
  },
  {
    title: text.basesPlot,
    values: [months.map(({ output }) => output.bases)],
    label: text.bases,
    ink: "series-2",
    format: text.basesAxis,
    none: months.some(({ output }) => output.bases === null) ? text.basesUnknown : text.noBases,
  },
  turnaroundPlot(months),
];

/** Drawn in the unit that its longest time is told in, so that the axis has whole marks. */
function turnaroundPlot(months: readonly Month[]): PlotProps {
  const medians = months.map(medianOf);
  const unit = unitOf(medians);
  return {
    title: text.turnaroundPlot,
    values: [medians.map((seconds) => seconds && seconds / unit)],
    label: text.wholeMedian,
    ink: "series-3",
    format: (value) => text.takes(value * unit),
    none: months.some((month) => deliveredIn(month) > 0) ? text.turnaroundUnknown : text.noneDelivered,
  };
}

/** Axes around nothing say less than a sentence. */
const isDrawn = ({ values }: PlotProps): boolean => values.flat().some((value) => value);

function Plots({ months }: { months: readonly Month[] }) {
  const x = useMemo(() => months.map(({ month }) => Number(month.slice(5))), [months]);
  const plots = useMemo(() => plotsOf(months), [months]);
  const drawn = plots.filter(isDrawn);
  const empty = plots.filter((plot) => !isDrawn(plot));
  return (
    <>
      {drawn.length > 0 && (
        <div class="numbers-plots">
          {drawn.map((plot) => (
            <OnePlot key={plot.title} x={x} {...plot} />
          ))}
        </div>
      )}
      {empty.length > 0 && <p class="muted">{empty.map(({ none }) => none).join(" ")}</p>}
    </>
  );
}

function OnePlot({ title, x, values, label, ink, format }: PlotProps & { x: readonly number[] }) {
  return (
    <figure class="card stack-tight numbers-plot" aria-label={title}>
      <figcaption>{title}</figcaption>
      <Plot x={x} values={values} formatX={nameOf} series={[{ label, ink, kind: "bars", format }]} />
    </figure>
  );
}
