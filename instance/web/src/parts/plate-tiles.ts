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

/** Share counts out to blocks that stand for as many samples each, state after state in the legend's order. */
export function inBlocks(counts: PlateCounts, blocks: number): PlateCounts[] {
  const all = PLATE_STATES.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  const each = all / blocks;
  const found: Partial<Record<PlateState, number>>[] = Array.from({ length: blocks }, () => ({}));
  let start = 0;
  for (const state of PLATE_STATES) {
    const end = start + (counts[state] ?? 0);
    for (const [place, block] of found.entries()) {
      const part = Math.min(end, (place + 1) * each) - Math.max(start, place * each);
      if (part > 0) block[state] = part;
    }
    start = end;
  }
  return found;
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
