import { useMemo } from "preact/hooks";
import { Plot } from "../../parts/plot";
import { Table } from "../../parts/table";
import { Time } from "../../parts/time";
import { numbersText as text } from "../../text/en/numbers";
import { outputColumns } from "./output-tables";
import type { Month } from "./state";

const DAY = 86_400;

const nameOf = (place: number): string => (Number.isInteger(place) ? text.shortMonth(place) : "");

const wholeOf = ({ turnaround }: Month) => turnaround.find(({ interval }) => interval === "whole");

const daysOf = (month: Month): number | null => {
  const median = wholeOf(month)?.medianSeconds ?? null;
  return median === null ? null : median / DAY;
};

/** The months of the year as plots, and as the table that says the same. */
export function Months({ months }: { months: readonly Month[] }) {
  const x = useMemo(() => months.map(({ month }) => Number(month.slice(5))), [months]);
  const orders = useMemo(() => [months.map(({ output }) => output.orders)], [months]);
  const bases = useMemo(() => [months.map(({ output }) => output.bases)], [months]);
  const days = useMemo(() => [months.map(daysOf)], [months]);
  return (
    <div class="stack-tight">
      <h2>{text.byMonth}</h2>
      <div class="numbers-plots">
        <OnePlot
          title={text.ordersPlot}
          x={x}
          values={orders}
          label={text.orders}
          ink="series-1"
          format={text.whole}
        />
        <OnePlot
          title={text.basesPlot}
          x={x}
          values={bases}
          label={text.bases}
          ink="series-2"
          format={text.basesAxis}
        />
        <OnePlot
          title={text.turnaroundPlot}
          x={x}
          values={days}
          label={text.wholeMedian}
          ink="series-3"
          format={text.days}
        />
      </div>
      <Table
        label={text.byMonth}
        columns={[
          { id: "month", label: text.month, cell: ({ month }) => text.monthOf(month) },
          ...outputColumns<Month>(({ output }) => output),
          {
            id: "delivered",
            label: text.delivered,
            isNumber: true,
            cell: (month) =>
              text.deliveredOf(wholeOf(month)?.orders ?? 0, wholeOf(month)?.ordersUnknown ?? 0),
          },
          {
            id: "median",
            label: text.wholeMedian,
            isNumber: true,
            cell: (month) => text.time(wholeOf(month)?.medianSeconds ?? null),
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
  x: readonly number[];
  values: readonly (readonly (number | null)[])[];
  label: string;
  ink: string;
  format: (value: number) => string;
}

function OnePlot({ title, x, values, label, ink, format }: PlotProps) {
  return (
    <figure class="card stack-tight numbers-plot" aria-label={title}>
      <figcaption>{title}</figcaption>
      {values.flat().every((value) => value === null) ? (
        <p class="muted">{text.nothingKnown}</p>
      ) : (
        <Plot x={x} values={values} formatX={nameOf} series={[{ label, ink, kind: "bars", format }]} />
      )}
    </figure>
  );
}
