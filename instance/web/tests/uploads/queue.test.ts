import { describe, expect, it } from "vitest";
import { Queue } from "../../src/uploads/engine/queue";

function filled(...ids: string[]): Queue {
  const queue = new Queue();
  for (const id of ids) queue.add(id, 0);
  return queue;
}

describe("the queue", () => {
  it("gives three files at a time, in their order", () => {
    const queue = filled("a", "b", "c", "d");
    expect(queue.take()).toEqual(["a", "b", "c"]);
    expect(queue.take()).toEqual([]);
    queue.change("b", { state: { is: "filed", wasThere: false } });
    queue.over("b");
    expect(queue.take()).toEqual(["d"]);
  });

  it("gives the next file while the service verifies another, and six in all at most", () => {
    const queue = filled("a", "b", "c", "d", "e", "f", "g");
    queue.take();
    queue.change("a", { state: { is: "verifying" } });
    expect(queue.take()).toEqual(["d"]);
    for (const id of ["b", "c", "d"]) queue.change(id, { state: { is: "verifying" } });
    expect(queue.take()).toEqual(["e", "f"]);
    expect(queue.take()).toEqual([]);
    queue.over("a");
    expect(queue.take()).toEqual(["g"]);
  });

  it("passes over what is paused until it waits again", () => {
    const queue = filled("a", "b");
    queue.change("a", { state: { is: "paused" } });
    expect(queue.take()).toEqual(["b"]);
    queue.change("a", { state: { is: "waiting" } });
    expect(queue.take()).toEqual(["a"]);
  });

  it("takes a file anew once it stopped, and never while it is on its way", () => {
    const queue = filled("a");
    expect(queue.add("a", 0)).toBe(false);
    queue.take();
    expect(queue.add("a", 0)).toBe(false);
    queue.change("a", { state: { is: "refused", why: "changed", words: "" } });
    queue.over("a");
    expect(queue.add("a", 7)).toBe(true);
    expect(queue.get("a")).toMatchObject({ state: { is: "waiting" }, sent: 7 });
  });

  it("tells each change once, and nothing of what was removed", () => {
    const queue = filled("a", "b");
    queue.remove("b");
    expect(queue.news().map(({ id }) => id)).toEqual(["a"]);
    expect(queue.news()).toEqual([]);
    queue.change("a", { sent: 3 });
    expect(queue.news()).toEqual([{ id: "a", state: { is: "waiting" }, sent: 3, hashed: 0 }]);
  });

  it("has no word of a file that was removed while it was sent", () => {
    const queue = filled("a");
    queue.take();
    queue.remove("a");
    queue.change("a", { sent: 5 });
    queue.over("a");
    expect(queue.news()).toEqual([]);
    expect(queue.running()).toEqual([]);
  });
});
