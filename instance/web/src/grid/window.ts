/** Which rows of a long table are drawn: those that are seen and some above and below, in steps. */

export interface Window {
  readonly first: number;
  /** The row behind the last one that is drawn. */
  readonly end: number;
}

/** Rows that are drawn above and below what is seen. */
const MARGIN = 16;
/** The window moves in steps, so that most scroll events draw nothing. */
const STEP = 8;

export function windowAt(scrolled: number, height: number, rowHeight: number, rows: number): Window {
  const seen = Math.max(0, Math.floor(scrolled / rowHeight));
  const first = Math.max(0, Math.floor((seen - MARGIN) / STEP) * STEP);
  const end = Math.ceil((seen + Math.ceil(height / rowHeight) + MARGIN) / STEP) * STEP;
  return { first: Math.min(first, rows), end: Math.min(end, rows) };
}

/** Return how far to scroll so that a row is wholly seen below the header; the present place when it is. */
export function scrollFor(
  row: number,
  scrolled: number,
  height: number,
  rowHeight: number,
  header: number,
): number {
  const top = row * rowHeight;
  if (top < scrolled) return top;
  const bottom = top + rowHeight - (height - header);
  return Math.max(bottom, scrolled);
}
