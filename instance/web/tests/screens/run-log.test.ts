import { expect, test } from "vitest";
import {
  appended,
  hitsOf,
  isAtEnd,
  type LogWindow,
  MOST_HELD,
  nextHit,
  opened,
  prepended,
  readLineId,
} from "../../src/screens/runs/log/book";

const window = (from: number, content: string, size: number, unfinished = ""): LogWindow => ({
  content,
  unfinished,
  from,
  next: from + content.length,
  size,
  fromFile: true,
});
const linesOf = ({ pieces }: ReturnType<typeof opened>) => pieces.flatMap(({ lines }) => lines);

test("a log grows at its end, and the unfinished line is replaced by the whole one", () => {
  const first = opened(window(0, "one\ntwo\n", 11, "thr"));
  const second = appended(first, window(8, "three\n", 14));

  expect(linesOf(second)).toEqual(["one", "two", "three"]);
  expect([first.unfinished, second.unfinished]).toEqual(["thr", ""]);
  expect([isAtEnd(first), isAtEnd(second), isAtEnd({ ...second, size: 99 })]).toEqual([true, true, false]);
});

test("a log that was begun anew is shown from its beginning", () => {
  const first = opened(window(0, "one\ntwo\n", 8));

  expect(linesOf(appended(first, window(0, "anew\n", 5)))).toEqual(["anew"]);
});

test("earlier lines come in front without a gap", () => {
  const last = opened(window(8, "three\n", 14));

  expect(linesOf(prepended(last, window(4, "two\n", 14)))).toEqual(["two", "three"]);
  expect(linesOf(prepended(last, window(0, "x\n", 14)))).toEqual(["x"]);
});

test("an empty window changes no line", () => {
  const book = opened(window(0, "one\n", 4));

  expect(appended(book, window(4, "", 4, "")).pieces).toEqual(book.pieces);
  expect(opened(window(0, "", 0)).pieces).toEqual([]);
});

test("what is far from where one reads is let go", () => {
  const stretch = `${"x".repeat(1024 * 1024 - 1)}\n`;
  let book = opened(window(0, stretch, 0));
  for (let piece = 1; piece < 8; piece += 1)
    book = appended(book, window(piece * stretch.length, stretch, 0));
  expect(book.end - book.start).toBeLessThanOrEqual(MOST_HELD);
  expect(book.end).toBe(8 * stretch.length);

  for (let piece = 3; piece >= 0; piece -= 1) {
    book = prepended(book, window(piece * stretch.length, stretch, 8 * stretch.length));
  }
  expect([book.start, book.end]).toEqual([0, 4 * stretch.length]);
  expect(isAtEnd(book)).toBe(false);
});

test("hits are found whatever their case, and gone through in both directions", () => {
  const hits = hitsOf(opened(window(100, "Error one\nfine\nan ERROR\n", 200)), "error");

  expect(hits).toEqual(["100.0", "100.2"]);
  expect([nextHit(hits, null, -1), nextHit(hits, "100.2", -1), nextHit(hits, "100.0", -1)]).toEqual([
    "100.2",
    "100.0",
    null,
  ]);
  expect(hitsOf(opened(window(0, "x\n", 2)), "  ")).toEqual([]);
});

test("the name of a line is read, and rubbish is none", () => {
  expect(readLineId("1048576.37")).toEqual({ from: 1048576, place: 37 });
  for (const text of [undefined, "", "1", "x.1", "1.2.3", "-1.0", "9".repeat(30)]) {
    expect(readLineId(text)).toBeNull();
  }
});
