import { useState } from "preact/hooks";
import type { Resource } from "../../../api/resource";
import { Button } from "../../../parts/button";
import { demoRefusal } from "../../../session";
import { liveText as text } from "../../../text/en/live";
import { CollectDialog } from "./collect-dialog";
import { isOpen, type Plan, type Stream } from "./state";

interface Props {
  stream: Stream;
  plan: Resource<Plan>;
  onChange: () => Promise<unknown>;
}

/** The button that makes reads of what was streamed, and how far that is. */
export function Collected({ stream, plan, onChange }: Props) {
  const [isChoosing, setChoosing] = useState(false);
  const samples = plan.data.value ?? [];
  const isStopped = stream.status === "STOPPED";
  const refusal = isStopped
    ? samples.some(isOpen)
      ? demoRefusal.value
      : text.nothingToCollect
    : text.stopFirst;
  return (
    <>
      <Button
        look={isStopped && refusal === null ? "main" : "plain"}
        refusal={refusal}
        onClick={() => setChoosing(true)}
      >
        {text.collect}
      </Button>
      {isChoosing && (
        <CollectDialog
          stream={stream}
          samples={samples}
          onChange={onChange}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  );
}

/** How many of the reads that were asked for are made. */
export function Progress({ samples }: { samples: Plan }) {
  const made = samples.filter(({ state }) => state === "made").length;
  const asked = samples.filter(({ state }) => state !== "ready" && state !== "empty").length;
  if (asked === 0) return null;
  const words = text.collected(made, asked);
  return (
    <div class="line" role="status">
      <progress max={asked} value={made} aria-label={text.collecting} />
      <span>{words}</span>
    </div>
  );
}
