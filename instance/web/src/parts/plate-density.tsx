import { text } from "../text/en/common";
import { count } from "../text/format";
import {
  countsInWords,
  inBlocks,
  PLATE_STATES,
  type PlateCounts,
  type PlateLabels,
  type PlateState,
  type Tile,
} from "./plate-tiles";

const BLOCKS = 96;

const PARTS: Record<PlateState, string> = {
  done: "part part-done",
  half: "part part-half",
  moving: "part part-moving",
  problem: "part part-problem",
  waiting: "part part-waiting",
};

/** Too many samples for a tile each: 96 blocks of neighbours, each with its share of states and its counts in words. */
export function DensityPlate({ tiles, labels }: { tiles: readonly Tile[]; labels: PlateLabels }) {
  return (
    <ul class="tiles tiles-density">
      {inBlocks(tiles, BLOCKS).map(({ first, last, counts }) => {
        const words = `${text.tileRange(first.label, last.label)}: ${countsInWords(counts, labels, count)}`;
        return (
          <li key={first.id} title={words}>
            <Parts counts={counts} />
            <span class="unseen">{words}</span>
          </li>
        );
      })}
    </ul>
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
