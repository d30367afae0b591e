import { LinkButton } from "../../parts/button";
import { Chip, type Tone } from "../../parts/chip";
import { Copy } from "../../parts/copy";
import { Empty } from "../../parts/empty";
import type { PlateState } from "../../parts/plate-tiles";
import { type Column, Table } from "../../parts/table";
import { isAdmin } from "../../session";
import { text } from "../../text/en/order";
import { orderText } from "../../text/en/orders";
import type { Order, Sample } from "./state";

const TONES: Record<PlateState, Tone> = {
  done: "ok",
  half: "run",
  moving: "run",
  problem: "bad",
  waiting: "wait",
};

/** What the states of samples are called: the facility sees files, a researcher what is delivered. */
export function plateLabels(): Partial<Record<PlateState, string>> {
  if (isAdmin.value) return orderText.plate;
  const { done, waiting } = orderText.ownersPlate;
  return { done, waiting };
}

interface Props {
  samples: readonly Sample[];
  isWhole?: boolean | undefined;
}

export function SampleTable({ samples, isWhole }: Props) {
  const words = plateLabels();
  const columns: Column<Sample>[] = [
    { id: "alias", label: text.sample, cell: (sample) => sample.sampleAlias ?? <span class="muted">–</span> },
    {
      id: "code",
      label: text.code,
      cell: (sample) => <Copy value={sample.sampleId} label={sample.sampleId} />,
      isMinor: true,
    },
    {
      id: "organism",
      label: text.organism,
      cell: (sample) => sample.scientificName ?? sample.taxId ?? "–",
      isMinor: true,
    },
    {
      id: "state",
      label: text.state,
      cell: ({ plateState }) => <Chip tone={TONES[plateState]}>{words[plateState]}</Chip>,
    },
  ];
  const more: Column<Sample>[] = isWhole
    ? [
        {
          id: "taxId",
          label: text.taxId,
          cell: (sample) => <code>{sample.taxId ?? "–"}</code>,
          isMinor: true,
        },
      ]
    : [];
  return (
    <Table
      label={text.samplesTitle}
      columns={[...columns.slice(0, 3), ...more, ...columns.slice(3)]}
      rows={samples}
      rowId={(sample) => sample.id}
    />
  );
}

export function NoSamples({ order }: { order: Order }) {
  return (
    <Empty
      title={text.noSamples}
      action={
        order.status === "DRAFT" && (
          <LinkButton look="main" href={`/orders/new?order=${order.orderNumber}`}>
            {orderText.step.FINISH_DRAFT}
          </LinkButton>
        )
      }
    >
      {text.noSamplesWhy}
    </Empty>
  );
}
