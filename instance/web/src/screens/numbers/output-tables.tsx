import { type Column, Table } from "../../parts/table";
import { numbersText as text } from "../../text/en/numbers";
import { count } from "../../text/format";
import type { Numbers, Output } from "./state";
import { Sum } from "./sum";

/** The columns of what was ordered and sequenced, behind the one that says of what. */
export function outputColumns<R>(outputOf: (row: R) => Output): Column<R>[] {
  return [
    { id: "orders", label: text.orders, isNumber: true, cell: (row) => count(outputOf(row).orders) },
    { id: "samples", label: text.samples, isNumber: true, cell: (row) => count(outputOf(row).samples) },
    {
      id: "reads",
      label: text.reads,
      isNumber: true,
      cell: (row) => <Sum of={text.readsOf(outputOf(row).reads, outputOf(row).readSetsOfUnknownReads)} />,
    },
    {
      id: "bases",
      label: text.bases,
      isNumber: true,
      cell: (row) => <Sum of={text.basesOf(outputOf(row).bases, outputOf(row).readSetsOfUnknownBases)} />,
    },
  ];
}

export function Totals({ numbers }: { numbers: Numbers }) {
  const { totals } = numbers;
  const facts = [
    [text.orders, count(totals.orders)],
    [text.samples, count(totals.samples)],
    [text.sampleReads, count(totals.readSets)],
    [text.reads, text.readsOf(totals.reads, totals.readSetsOfUnknownReads).join(", ")],
    [text.bases, text.basesOf(totals.bases, totals.readSetsOfUnknownBases).join(", ")],
  ];
  return (
    <section class="card stack-tight" aria-labelledby="numbers-totals">
      <h2 id="numbers-totals">{text.totals(numbers.year)}</h2>
      <dl class="totals">
        {facts.map(([what, value]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function ByPlatform({ platforms }: { platforms: Numbers["platforms"] }) {
  return (
    <div class="stack-tight">
      <h2>{text.byPlatform}</h2>
      <Table
        label={text.byPlatform}
        columns={[
          { id: "platform", label: text.platform, cell: ({ platform }) => platform ?? text.noPlatform },
          ...outputColumns<Numbers["platforms"][number]>(({ output }) => output),
        ]}
        rows={platforms}
        rowId={({ platform }) => platform ?? ""}
      />
    </div>
  );
}

export function ByDepartment({ departments }: { departments: Numbers["departments"] }) {
  return (
    <div class="stack-tight">
      <h2>{text.byDepartment}</h2>
      <Table
        label={text.byDepartment}
        columns={[
          {
            id: "department",
            label: text.department,
            cell: ({ department }) => (department ? (department.name ?? department.id) : text.noDepartment),
          },
          ...outputColumns<Numbers["departments"][number]>(({ output }) => output),
        ]}
        rows={departments}
        rowId={({ department }) => department?.id ?? ""}
      />
    </div>
  );
}
