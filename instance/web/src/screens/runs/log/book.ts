/** A window of a log, as the service gives it. */
export interface LogWindow {
  content: string;
  unfinished: string;
  from: number;
  next: number;
  size: number;
  fromFile: boolean;
}

/** Lines that came together; `from` and `next` are bytes of the log. */
export interface Piece {
  from: number;
  next: number;
  lines: readonly string[];
}

/** The part of a log that the page holds: pieces without a gap, and the line that is being written. */
export interface Book {
  pieces: readonly Piece[];
  unfinished: string;
  start: number;
  end: number;
  size: number;
  fromFile: boolean;
}

/** How much is read at once, and how much is held; what is far from where one reads goes first. */
export const STRETCH = 256 * 1024;
export const MOST_HELD = 4 * 1024 * 1024;

export function opened(window: LogWindow): Book {
  const { from, next, size, unfinished, fromFile } = window;
  return { pieces: piecesOf(window), unfinished, start: from, end: next, size, fromFile };
}

/** Go on at the end; a window from elsewhere is one of a log that was begun anew. */
export function appended(book: Book, window: LogWindow): Book {
  if (window.from !== book.end || window.fromFile !== book.fromFile) return opened(window);
  const pieces = [...book.pieces, ...piecesOf(window)];
  let start = book.start;
  while (pieces.length > 1 && window.next - start > MOST_HELD) {
    pieces.shift();
    start = pieces[0]?.from ?? start;
  }
  return { ...book, pieces, start, unfinished: window.unfinished, end: window.next, size: window.size };
}

/** Put in front what stands before; where it does not meet what is held, that is gone from the log. */
export function prepended(book: Book, window: LogWindow): Book {
  if (window.next !== book.start || window.size < book.end) return opened(window);
  const pieces = [...piecesOf(window), ...book.pieces];
  let { end, unfinished } = book;
  while (pieces.length > 1 && end - window.from > MOST_HELD) {
    pieces.pop();
    end = pieces.at(-1)?.next ?? end;
    unfinished = "";
  }
  return { ...book, pieces, start: window.from, end, unfinished, size: window.size };
}

/** Whether nothing stands behind what is held. */
export const isAtEnd = ({ end, unfinished, size }: Book): boolean => end >= size || unfinished !== "";

function piecesOf({ content, from, next }: LogWindow): Piece[] {
  if (content === "") return [];
  const lines = content.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return [{ from, next, lines }];
}

/** A line is named by the window that it came with: the same window comes again as long as the log is there. */
export const lineId = (from: number, place: number): string => `${from}.${place}`;

export function readLineId(text: string | undefined): { from: number; place: number } | null {
  const found = /^(\d{1,15})\.(\d{1,8})$/.exec(text ?? "");
  return found ? { from: Number(found[1]), place: Number(found[2]) } : null;
}

/** The lines that hold a text, whatever its case, from the first to the last. */
export function hitsOf({ pieces }: Pick<Book, "pieces">, words: string): string[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return [];
  return pieces.flatMap(({ from, lines }) =>
    lines.flatMap((line, place) => (line.toLowerCase().includes(wanted) ? [lineId(from, place)] : [])),
  );
}

/** The hit after another one, or before it; the last one where none is chosen. */
export function nextHit(hits: readonly string[], chosen: string | null, step: 1 | -1): string | null {
  const now = chosen === null ? -1 : hits.indexOf(chosen);
  if (now < 0) return (step === 1 ? hits[0] : hits.at(-1)) ?? null;
  return hits[now + step] ?? null;
}
