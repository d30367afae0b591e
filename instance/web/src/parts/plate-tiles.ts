/** The states of a tile, in the order in which a legend tells them. */
export const PLATE_STATES = ["done", "half", "moving", "problem", "waiting"] as const;

export type PlateState = (typeof PLATE_STATES)[number];
export type PlateLabels = Readonly<Partial<Record<PlateState, string>>>;
export type PlateCounts = Readonly<Partial<Record<PlateState, number>>>;

export interface Tile {
  id: string;
  /** What people call the sample. */
  label: string;
  state: PlateState;
  note?: string | undefined;
}

/** Beyond, tiles would be too small to be told apart. */
export const TILES_SHOWN = 384;
const TILES_IN_TWELVES = 96;

export const columnsFor = (tiles: number): 12 | 24 => (tiles <= TILES_IN_TWELVES ? 12 : 24);

/** Where an arrow key, Home or End leads; null for any other key. */
export function placeAfter(key: string, now: number, tiles: number, columns: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: now + 1,
    ArrowLeft: now - 1,
    ArrowDown: now + columns,
    ArrowUp: now - columns,
    Home: 0,
    End: tiles - 1,
  };
  const next = steps[key];
  if (next === undefined) return null;
  return next < 0 || next >= tiles ? now : next;
}

export interface Block {
  first: Tile;
  last: Tile;
  counts: PlateCounts;
}

/** Tiles in at most `blocks` neighbouring groups of one size, each with its counts by state. */
export function inBlocks(tiles: readonly Tile[], blocks: number): Block[] {
  const each = Math.max(1, Math.ceil(tiles.length / blocks));
  const found: Block[] = [];
  for (let start = 0; start < tiles.length; start += each) {
    const group = tiles.slice(start, start + each);
    const [first, last] = [group[0], group.at(-1)];
    if (first && last) found.push({ first, last, counts: countStates(group) });
  }
  return found;
}

export function countStates(tiles: readonly Tile[]): PlateCounts {
  const counts: Partial<Record<PlateState, number>> = {};
  for (const { state } of tiles) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** `58 pair intact, 5 one file`: the counts in words, in the legend's order. */
export function countsInWords(
  counts: PlateCounts,
  labels: PlateLabels,
  write: (count: number) => string,
): string {
  return PLATE_STATES.filter((state) => (counts[state] ?? 0) > 0)
    .map((state) => `${write(counts[state] ?? 0)} ${(labels[state] ?? state).toLowerCase()}`)
    .join(", ");
}
