import { count } from "../text/format";
import {
  countsInWords,
  inBlocks,
  PLATE_STATES,
  type PlateCounts,
  type PlateLabels,
  type PlateState,
} from "./plate-tiles";

const BLOCKS = 96;

const PARTS: Record<PlateState, string> = {
  done: "part part-done",
  half: "part part-half",
  moving: "part part-moving",
  problem: "part part-problem",
  waiting: "part part-waiting",
};

/** Too many samples for a tile each: blocks in which the states have their shares. The legend has the numbers. */
export function DensityPlate({ counts }: { counts: PlateCounts }) {
  return (
    <div class="tiles tiles-density" aria-hidden="true">
      {inBlocks(counts, BLOCKS).map((block, place) => (
        <Parts key={place} counts={block} />
      ))}
    </div>
  );
}

/** The plate as one line, for a row of a list; the words are for who can't see it and for the title. */
export function PlateStrip({ counts, labels }: { counts: PlateCounts; labels: PlateLabels }) {
  const words = countsInWords(counts, labels, count);
  return (
    <span class="plate-strip" role="img" aria-label={words} title={words}>
      <Parts counts={counts} />
    </span>
  );
}

function Parts({ counts }: { counts: PlateCounts }) {
  return (
    <span class="parts" aria-hidden="true">
      {PLATE_STATES.map((state) => {
        const of = counts[state] ?? 0;
        return of > 0 && <span key={state} class={PARTS[state]} style={{ flexGrow: of }} />;
      })}
    </span>
  );
}
