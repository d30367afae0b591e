import { useState } from "preact/hooks";
import { Button } from "../../../parts/button";
import { Chip, type Tone } from "../../../parts/chip";
import { Time } from "../../../parts/time";
import { eventText, liveText as text } from "../../../text/en/live";
import { lastOf, type StreamEvent } from "./state";

/** What happened, newest first. While somebody points at it or reads in it, newer ones wait until they are asked for. */
export function Events({ events }: { events: readonly StreamEvent[] }) {
  const [held, setHeld] = useState<readonly StreamEvent[] | null>(null);
  const shown = held ?? events;
  const newest = shown[0]?.seq ?? 0;
  const waiting = events.filter(({ seq }) => seq > newest).length;
  return (
    <section
      class="stack-tight"
      aria-label={text.events}
      onPointerEnter={() => setHeld(events)}
      onPointerLeave={() => setHeld(null)}
    >
      <div class="spread">
        <h2 class="live-title">{text.events}</h2>
        {waiting > 0 && <Button onClick={() => setHeld(events)}>{text.newer(waiting)}</Button>}
      </div>
      <ol
        class="card live-events"
        aria-label={text.events}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
      >
        {shown.map((event) => (
          <li key={event.id}>
            <Time at={event.ts} />
            <Chip tone={TONES[event.kind] ?? "calm"}>{sentenceOf(event)}</Chip>
          </li>
        ))}
      </ol>
    </section>
  );
}

const TONES: Partial<Record<StreamEvent["kind"], Tone>> = {
  BARCODE_MAP_WARNING: "wait",
  BARCODE_UNMAPPED: "wait",
  RUN_STALLED: "wait",
  RUN_FINISHED_HINT: "ok",
  READ_CREATED: "ok",
  ERROR: "bad",
};

function sentenceOf(event: StreamEvent): string {
  switch (event.kind) {
    case "RUN_STARTED":
      return eventText.RUN_STARTED(lastOf(event.payload.outputDir));
    case "RUN_STOP_REQUESTED":
      return eventText.RUN_STOP_REQUESTED(
        `${event.payload.requestedBy.firstName} ${event.payload.requestedBy.lastName}`,
      );
    case "RUN_STOPPED":
      return eventText.RUN_STOPPED(event.payload.files, event.payload.totalReads);
    case "FILE_INGESTED":
      return event.payload.malformed
        ? eventText.malformed(event.payload.filePath)
        : eventText.FILE_INGESTED(
            event.payload.barcode ?? eventText.unnamed,
            event.payload.reads,
            event.payload.bases,
          );
    case "BARCODE_MAP_WARNING":
      return eventText.BARCODE_MAP_WARNING(event.payload.unknownSamples.join(", "));
    case "BARCODE_MAP_CHANGED":
      return eventText.BARCODE_MAP_CHANGED(Object.keys(event.payload.barcodeMap).length);
    case "BARCODE_UNMAPPED":
      return eventText.BARCODE_UNMAPPED(event.payload.barcode);
    case "RUN_STALLED":
      return eventText.RUN_STALLED(event.payload.minutes);
    case "RUN_FINISHED_HINT":
      return eventText.RUN_FINISHED_HINT;
    case "READ_CREATED":
      return eventText.READ_CREATED(event.payload.sampleCode);
    case "ERROR":
      return event.payload.filePath
        ? `${event.payload.message}: ${event.payload.filePath}`
        : event.payload.message;
  }
}
