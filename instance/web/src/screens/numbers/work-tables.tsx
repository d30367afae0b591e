import { Table } from "../../parts/table";
import { numbersText as text } from "../../text/en/numbers";
import { count } from "../../text/format";
import type { Numbers, Turnaround } from "./state";
import { Sum } from "./sum";

const OUTCOMES = ["completed", "failed", "cancelled", "running", "queued", "pending"] as const;

export function TurnaroundTable({ turnaround }: { turnaround: readonly Turnaround[] }) {
  return (
    <div class="stack-tight">
      <h2>{text.turnaround}</h2>
      {turnaround.every(({ orders, ordersUnknown }) => orders + ordersUnknown === 0) ? (
        <p class="muted">{text.noneDelivered}</p>
      ) : (
        <Table
          label={text.turnaround}
          columns={[
            { id: "interval", label: text.from, cell: ({ interval }) => text.interval[interval] },
            {
              id: "orders",
              label: text.delivered,
              isNumber: true,
              isMinor: true,
              cell: ({ orders, ordersUnknown }) => <Sum of={text.deliveredOf(orders, ordersUnknown)} />,
            },
            {
              id: "median",
              label: text.median,
              isNumber: true,
              cell: ({ medianSeconds }) => text.time(medianSeconds),
            },
            { id: "p90", label: text.p90, isNumber: true, cell: ({ p90Seconds }) => text.time(p90Seconds) },
          ]}
          rows={turnaround}
          rowId={({ interval }) => interval}
        />
      )}
    </div>
  );
}

export function RunsTable({ runs }: { runs: Numbers["runs"] }) {
  return (
    <div class="stack-tight">
      <h2>{text.runs}</h2>
      {runs.length === 0 ? (
        <p class="muted">{text.noRuns}</p>
      ) : (
        <Table
          label={text.runs}
          columns={[
            { id: "pipeline", label: text.pipeline, cell: ({ pipelineId }) => pipelineId },
            ...OUTCOMES.map((outcome) => ({
              id: outcome,
              label: text.outcome[outcome],
              isNumber: true,
              cell: ({ outcomes }: Numbers["runs"][number]) => count(outcomes[outcome]),
            })),
          ]}
          rows={runs}
          rowId={({ pipelineId }) => pipelineId}
        />
      )}
    </div>
  );
}

export function StorageTables({ storage }: { storage: Numbers["storage"] }) {
  if (storage.classes.every(({ room }) => room.files === 0)) {
    return (
      <div class="stack-tight">
        <h2>{text.storage}</h2>
        <p class="muted">{text.noFiles}</p>
      </div>
    );
  }
  return (
    <div class="stack-tight">
      <h2>{text.storage}</h2>
      <Table
        label={text.byClass}
        columns={[
          { id: "class", label: text.class, cell: (row) => text.classes[row.class] },
          { id: "files", label: text.files, isNumber: true, cell: ({ room }) => count(room.files) },
          {
            id: "room",
            label: text.room,
            isNumber: true,
            cell: ({ room }) => <Sum of={text.roomOf(room.bytes, room.filesOfUnknownSize)} />,
          },
        ]}
        rows={storage.classes}
        rowId={(row) => row.class}
      />
      {storage.largestOrders.length > 0 && <LargestOrders orders={storage.largestOrders} />}
    </div>
  );
}

function LargestOrders({ orders }: { orders: Numbers["storage"]["largestOrders"] }) {
  return (
    <>
      <h3>{text.byOrder}</h3>
      <Table
        label={text.byOrder}
        columns={[
          {
            id: "order",
            label: text.order,
            cell: ({ orderNumber }) => <a href={`/orders/${orderNumber}`}>{orderNumber}</a>,
          },
          { id: "name", label: text.name, isLong: true, cell: ({ name }) => name },
          { id: "files", label: text.files, isNumber: true, cell: ({ room }) => count(room.files) },
          {
            id: "room",
            label: text.room,
            isNumber: true,
            cell: ({ room }) => <Sum of={text.roomOf(room.bytes, room.filesOfUnknownSize)} />,
          },
        ]}
        rows={orders}
        rowId={({ id }) => id}
      />
    </>
  );
}
