import { expect, test } from "vitest";
import { splitLinks } from "../../src/parts/links";

test("an address becomes a link, and the full stop after it stays words", () => {
  expect(splitLinks("See https://lab.example/a?b=1, then (http://x.example/).")).toEqual([
    { at: 0, words: "See ", href: null },
    { at: 4, words: "https://lab.example/a?b=1", href: "https://lab.example/a?b=1" },
    { at: 29, words: ", then (", href: null },
    { at: 37, words: "http://x.example/", href: "http://x.example/" },
    { at: 54, words: ").", href: null },
  ]);
});

test.each(["javascript:alert(1)", "data:text/html,<b>", "<a href=x>", "file:///etc/passwd", "https://", ""])(
  "%s is only words",
  (text) => {
    expect(splitLinks(text).every(({ href }) => href === null)).toBe(true);
    expect(
      splitLinks(text)
        .map(({ words }) => words)
        .join(""),
    ).toBe(text);
  },
);
