import { describe, expect, it, vi } from "vitest";
import { paceOf, type Received, seenAfter } from "../../src/screens/home/pace";

vi.mock("../../src/place", () => ({ isPlace: () => true }));
vi.mock("../../src/api/client", () => ({}));

const { groupsOf, keyOf } = await import("../../src/screens/home/state");
type Line = Parameters<typeof keyOf>[0];

const all = (...seen: Received[]): readonly Received[] => seen.reduce(seenAfter, [] as readonly Received[]);

describe("the pace of uploads", () => {
  it("is what came between what was seen first and last", () => {
    const seen = all(
      { atMs: 0, bytes: 0, of: 9000 },
      { atMs: 1000, bytes: 1000, of: 9000 },
      { atMs: 4000, bytes: 8000, of: 9000 },
    );
    expect(paceOf(seen)).toBe(2000);
  });

  it("forgets what is older than twenty seconds", () => {
    const seen = all(
      { atMs: 0, bytes: 0, of: 9000 },
      { atMs: 20_000, bytes: 1000, of: 9000 },
      { atMs: 30_000, bytes: 3000, of: 9000 },
    );
    expect(paceOf(seen)).toBe(200);
  });

  it("is not told of one look, of the same byte seen twice, nor across files that came or were filed", () => {
    const first = { atMs: 0, bytes: 500, of: 9000 };
    expect(paceOf(all())).toBeNull();
    expect(paceOf(all(first))).toBeNull();
    expect(paceOf(all(first, first))).toBeNull();
    expect(paceOf(all(first, { atMs: 1000, bytes: 700, of: 12_000 }))).toBeNull();
    expect(paceOf(all(first, { atMs: 1000, bytes: 100, of: 9000 }))).toBeNull();
  });
});

const order = (name: string) => ({ id: name, orderNumber: name, name });
const line = (kind: Line["kind"], since: string, more: Partial<Line> = {}): Line => ({
  kind,
  since,
  action: { what: "ACCEPT" },
  ...more,
});

describe("the queue", () => {
  const young = line("NEW_ORDER", "2026-11-24T10:00:00.000Z", { order: order("young") });
  const old = line("NEW_ORDER", "2026-11-20T10:00:00.000Z", { order: order("old") });
  const message = line("MESSAGE", "2026-11-01T10:00:00.000Z", { ticket: { id: "t", subject: "Kits" } });
  const silent = line("PROCESS_SILENT", "2026-11-01T10:00:00.000Z", { process: "worker" });
  const disk = line("DISK_LOW", "2026-11-24T10:00:00.000Z");

  it("has its groups in the order of the work, and the oldest first in each", () => {
    const counts = { NEW_ORDER: 5, MESSAGE: 1, PROCESS_SILENT: 1, DISK_LOW: 1 };
    const groups = groupsOf({ waiting: [disk, silent, message, young], counts }, [old]);

    expect(groups.map(({ name, count, more }) => [name, count, more])).toEqual([
      ["NEW_ORDER", 5, 4],
      ["MESSAGE", 1, 0],
      ["DISK_LOW", 2, 0],
    ]);
    expect(groups[0]?.lines).toEqual([old, young]);
    expect(groups[2]?.lines).toEqual([silent, disk]);
  });

  it("keeps a line whose time moves, and tells lines of other things apart", () => {
    expect(keyOf({ ...disk, since: "2026-11-25T10:00:00.000Z" })).toBe(keyOf(disk));
    expect(keyOf({ ...silent, process: "monitor-runs" })).not.toBe(keyOf(silent));
    expect(keyOf(old)).not.toBe(keyOf(young));
    expect(keyOf({ ...old, kind: "FILE_PROBLEM" })).not.toBe(keyOf(old));
  });
});
