import { expect, it } from "vitest";
import { TOOLS } from "../../src/screens/order/delivery/commands";
import { help } from "../../src/text/en/help";

function wordsOf(id: string): string {
  const topic = help.topics.find((one) => one.id === id);
  return JSON.stringify(topic);
}

it.each(TOOLS)("says that there is a line for %s", (tool) => {
  expect(wordsOf("cluster")).toContain(tool);
});

it("checks on a cluster with the line that is there, which fetches the list itself", () => {
  expect(wordsOf("cluster")).not.toContain("md5sum");
  expect(wordsOf("cluster")).toContain("check line");
});

it("says of accessibility what was not tested, and when", () => {
  expect(help.accessibility.join(" ")).toMatch(/No screen reader was tried yet.*23 November 2026/);
});
