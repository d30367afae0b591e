import { useRef, useState } from "preact/hooks";
import { text } from "../text/en/common";
import { count } from "../text/format";
import { DensityPlate } from "./plate-density";
import {
  columnsFor,
  PLATE_STATES,
  type PlateCounts,
  type PlateLabels,
  type PlateState,
  placeAfter,
  type Tile,
} from "./plate-tiles";

interface Props {
  /** One a sample; null for too many of them, of which the counts tell. */
  tiles: readonly Tile[] | null;
  counts: PlateCounts;
  /** What each state means here: `Pair intact`, `One file`, … Only these states are in the legend. */
  labels: PlateLabels;
  /** Only tiles of these states; the others are faint. Empty: all. */
  filter?: ReadonlySet<PlateState> | undefined;
  onFilter?: ((filter: ReadonlySet<PlateState>) => void) | undefined;
  selected?: ReadonlySet<string> | undefined;
  /** Shift with an arrow key or a click selects from the last tile on. */
  onSelect?: ((selected: ReadonlySet<string>) => void) | undefined;
  onOpen?: ((tile: Tile) => void) | undefined;
}

const LOOKS: Record<PlateState, string> = {
  done: "tile tile-done",
  half: "tile tile-half",
  moving: "tile tile-moving",
  problem: "tile tile-problem",
  waiting: "tile tile-waiting",
};

/** One tile a sample. Arrow keys move, Enter opens, Shift selects; the legend filters. */
export function Plate(props: Props) {
  const { tiles, counts, labels, filter, onFilter } = props;
  return (
    <fieldset class="plate" aria-label={text.plate}>
      {tiles === null ? <DensityPlate counts={counts} /> : <Tiles {...props} tiles={tiles} />}
      <Legend counts={counts} labels={labels} filter={filter} onFilter={onFilter} />
    </fieldset>
  );
}

type TilesProps = Props & { tiles: readonly Tile[] };

function Tiles({ tiles, labels, filter, selected, onSelect, onOpen }: TilesProps) {
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const anchor = useRef(0);
  const columns = columnsFor(tiles.length);

  const select = (to: number): void => {
    const [first, last] = [Math.min(anchor.current, to), Math.max(anchor.current, to)];
    onSelect?.(new Set(tiles.slice(first, last + 1).map((tile) => tile.id)));
  };
  const keys = (event: KeyboardEvent): void => {
    const next = placeAfter(event.key, active, tiles.length, columns);
    if (next === null) return;
    event.preventDefault();
    setActive(next);
    box.current?.querySelectorAll<HTMLElement>("button")[next]?.focus();
    if (event.shiftKey) select(next);
    else anchor.current = next;
  };
  const press = (event: MouseEvent, tile: Tile, place: number): void => {
    setActive(place);
    if (event.shiftKey && onSelect) {
      select(place);
      return;
    }
    anchor.current = place;
    onOpen?.(tile);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the tiles, which are buttons.
    <div class={columns === 24 ? "tiles tiles-24" : "tiles"} role="presentation" ref={box} onKeyDown={keys}>
      {tiles.map((tile, place) => {
        const words = tile.note ? `${labels[tile.state]}, ${tile.note}` : labels[tile.state];
        const isFaint = filter !== undefined && filter.size > 0 && !filter.has(tile.state);
        return (
          <button
            key={tile.id}
            type="button"
            class={LOOKS[tile.state]}
            aria-label={`${tile.label}: ${words}`}
            title={`${tile.label}: ${words}`}
            aria-pressed={onSelect ? (selected?.has(tile.id) ?? false) : undefined}
            data-faint={isFaint || undefined}
            tabIndex={place === Math.min(active, tiles.length - 1) ? 0 : -1}
            onClick={(event) => press(event, tile, place)}
          />
        );
      })}
    </div>
  );
}

type LegendProps = Pick<Props, "counts" | "labels" | "filter" | "onFilter">;

function Legend({ counts, labels, filter, onFilter }: LegendProps) {
  const known = PLATE_STATES.filter((state) => labels[state] !== undefined);
  const toggle = (state: PlateState): void => {
    const next = new Set(filter);
    if (!next.delete(state)) next.add(state);
    onFilter?.(next);
  };
  return (
    <ul class="legend">
      {known.map((state) => {
        const inside = (
          <>
            <span class={LOOKS[state]} data-dot aria-hidden="true" />
            {labels[state]} <span class="muted">{count(counts[state] ?? 0)}</span>
          </>
        );
        return (
          <li key={state}>
            {onFilter ? (
              <button
                type="button"
                class="legend-filter"
                aria-pressed={filter?.has(state) ?? false}
                onClick={() => toggle(state)}
              >
                {inside}
              </button>
            ) : (
              <span class="legend-filter">{inside}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
