import { useState } from "preact/hooks";
import { Button } from "../../../parts/button";
import { Sparkline } from "../../../parts/sparkline";
import { type Column, Table } from "../../../parts/table";
import { demoRefusal } from "../../../session";
import { bases, length, quality, streamText, liveText as text } from "../../../text/en/live";
import { count } from "../../../text/format";
import type { Order } from "../state";
import { AssignDialog } from "./assign-dialog";
import { type Barcode, isUnassigned, isUnclassified, type Metrics, nameOf, type Stream } from "./state";

interface Props {
  order: Order;
  stream: Stream;
  metrics: Metrics;
  onChange: () => Promise<unknown>;
}

const COLUMNS: readonly Column<Barcode>[] = [
  { id: "barcode", label: text.barcode, cell: ({ barcode }) => <code>{barcode}</code> },
  {
    id: "sample",
    label: text.sample,
    cell: (row) =>
      nameOf(row) ?? <span class="muted">{isUnclassified(row) ? text.unclassified : text.noSample}</span>,
  },
  { id: "reads", label: streamText.reads, isNumber: true, cell: ({ reads }) => count(reads) },
  { id: "bases", label: streamText.bases, isNumber: true, cell: (row) => bases(row.bases) },
  { id: "n50", label: text.n50, isNumber: true, isMinor: true, cell: ({ n50 }) => length(n50) },
  {
    id: "quality",
    label: text.meanQuality,
    isNumber: true,
    isMinor: true,
    cell: ({ meanQuality }) => quality(meanQuality),
  },
  {
    id: "recent",
    label: text.lastHour,
    isMinor: true,
    cell: ({ barcode, recentBases }) => (
      <Sparkline values={recentBases} label={streamText.recent(barcode, recentBases)} />
    ),
  },
];

/** Every barcode by its name, so that a row stays where it is; those without a sample apart. */
export function Barcodes({ order, stream, metrics, onChange }: Props) {
  const [assigned, setAssigned] = useState<string | null>(null);
  const known = metrics.barcodes.filter((row) => !isUnassigned(row));
  const unknown = metrics.barcodes.filter(isUnassigned);
  const withAssign: Column<Barcode>[] = [
    ...COLUMNS.filter(({ id }) => id !== "sample"),
    {
      id: "assign",
      label: text.assign,
      cell: ({ barcode }) => (
        <Button
          label={text.assignWho(barcode)}
          refusal={demoRefusal.value}
          onClick={() => setAssigned(barcode)}
        >
          {text.assign}
        </Button>
      ),
    },
  ];
  return (
    <>
      <h2 class="live-title">{text.barcodes}</h2>
      <Table label={text.barcodes} columns={COLUMNS} rows={known} rowId={({ barcode }) => barcode} />
      {known.length === 0 && <p class="muted">{text.noReads}</p>}
      {unknown.length > 0 && (
        <>
          <h2 class="live-title">{text.unknown}</h2>
          <p class="muted">{text.unknownWhy}</p>
          <Table label={text.unknown} columns={withAssign} rows={unknown} rowId={({ barcode }) => barcode} />
        </>
      )}
      {assigned !== null && (
        <AssignDialog
          order={order}
          stream={stream}
          barcode={assigned}
          onChange={onChange}
          onClose={() => setAssigned(null)}
        />
      )}
    </>
  );
}
