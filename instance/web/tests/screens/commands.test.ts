import { expect, it } from "vitest";
import { checkCommand, downloadCommand, type Target, TOOLS } from "../../src/screens/order/delivery/commands";

const target: Target = {
  link: "https://facility.example/d/abc_-DEF/",
  service: "https://facility.example",
  email: "ada@lab.example",
  order: "ORD-20261123-0004",
};

it.each(TOOLS)("writes one whole line for %s", (tool) => {
  expect(downloadCommand(tool, target)).not.toMatch(/[\r\n]/);
});

it.each(TOOLS)("lets %s write into a folder named like the order", (tool) => {
  expect(downloadCommand(tool, target)).toContain(target.order);
});

it("quotes what a shell would read otherwise", () => {
  const odd = { ...target, email: "o'hara@lab.example" };

  expect(downloadCommand("seqfacility-client", odd)).toContain(String.raw`--email 'o'\''hara@lab.example'`);
});

it("checks what arrived against the list of the link", () => {
  expect(checkCommand(target)).toBe(
    "(cd ORD-20261123-0004 && curl -fsSL https://facility.example/d/abc_-DEF/checksums.md5 | md5sum -c)",
  );
});
