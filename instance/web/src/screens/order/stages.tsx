import { StageLine } from "../../parts/stage-line";
import { isAdmin } from "../../session";
import { orderText } from "../../text/en/orders";
import { day } from "../../text/format";
import type { NoteType, Order } from "./state";

const STAGES = ["SUBMITTED", "SAMPLES_IN", "SEQUENCED", "READS", "ANALYSED", "DELIVERED"] as const;

/** The way of an order: what is reached is behind, and the stage after it is the one that is worked on. */
export function OrderStages({ order }: { order: Order }) {
  const reached = order.stage === "DRAFT" ? -1 : STAGES.indexOf(order.stage);
  const working = STAGES[reached + 1];
  const readsDone = order.plate.done;
  const { samples } = order.counts;
  const isCounted = isAdmin.value && reached >= STAGES.indexOf("SEQUENCED");
  const notes: Partial<Record<(typeof STAGES)[number], string | null>> = {
    SUBMITTED:
      order.stage === "DRAFT" ? null : (notedOn(order, "STATUS_CHANGE") ?? dayOf(order.statusUpdatedAt)),
    SAMPLES_IN: notedOn(order, "SAMPLES_RECEIVED"),
    READS: isCounted ? orderText.ofSamples(readsDone, samples) : null,
    DELIVERED: order.sequencingFilesPublishedAt && dayOf(order.sequencingFilesPublishedAt),
  };
  return (
    <StageLine
      stages={STAGES.map((id) => ({
        id,
        label: orderText.stage[id],
        note: notes[id] ?? undefined,
        part: id === "READS" && isCounted && samples > 0 ? readsDone / samples : undefined,
      }))}
      current={working ?? "DELIVERED"}
      isOver={working === undefined}
    />
  );
}

/** The day of the oldest note of a kind; notes come newest first. */
function notedOn(order: Order, type: NoteType): string | null {
  const note = order.notes.findLast(({ noteType }) => noteType === type);
  return note ? dayOf(note.createdAt) : null;
}

function dayOf(time: string): string {
  return day(new Date(time), new Date());
}
