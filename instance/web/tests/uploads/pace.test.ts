import { describe, expect, it } from "vitest";
import { ChunkSize, chunkOf, pauseMs } from "../../src/uploads/engine/pace";

const MIB = 1024 * 1024;
const size = (recommended: number, most: number | null = null) =>
  new ChunkSize({ recommendedChunkBytes: recommended, maxChunkBytes: most });

describe("pauses", () => {
  it("grow from a second to a minute", () => {
    expect([0, 1, 2, 5, 6, 60].map((attempt) => pauseMs(attempt))).toEqual([
      1000, 2000, 4000, 32_000, 60_000, 60_000,
    ]);
  });

  it("are as long as the service asks for, up to five minutes", () => {
    expect(pauseMs(0, 30)).toBe(30_000);
    expect(pauseMs(0, 9000)).toBe(300_000);
  });
});

describe("the size of chunks", () => {
  it("doubles while they take less than a second, up to 64 MiB", () => {
    const chunk = size(16 * MIB);
    const seen = [0, 1, 2, 3].map(() => {
      chunk.took(900, chunk.bytes);
      return chunk.bytes / MIB;
    });
    expect(seen).toEqual([32, 64, 64, 64]);
  });

  it("stays when they are slow, and when a file ended before the chunk was full", () => {
    const chunk = size(16 * MIB);
    chunk.took(1000, 16 * MIB);
    chunk.took(10, 3 * MIB);
    expect(chunk.bytes).toBe(16 * MIB);
  });

  it("halves after a break, down to one MiB", () => {
    const chunk = size(4 * MIB);
    const seen = [0, 1, 2, 3].map(() => {
      chunk.broke();
      return chunk.bytes / MIB;
    });
    expect(seen).toEqual([2, 1, 1, 1]);
  });

  it("never passes what the facility takes", () => {
    const chunk = size(16 * MIB, 5 * MIB);
    chunk.took(10, 5 * MIB);
    expect(chunk.bytes).toBe(5 * MIB);
  });

  it("may be recommended smaller than a MiB", () => {
    const chunk = size(65_536);
    chunk.broke();
    expect(chunk.bytes).toBe(65_536);
  });
});

describe("a chunk", () => {
  const lanes = [new Blob(["abc"]), new Blob(["defg"]), new Blob(["hi"])];

  it.each([
    [0, 2, "ab"],
    [2, 3, "cde"],
    [1, 8, "bcdefghi"],
    [3, 4, "defg"],
    [8, 5, "i"],
  ])("from byte %d with %d bytes goes over the ends of lanes", async (from, length, text) => {
    expect(await chunkOf(lanes, from, length).text()).toBe(text);
  });
});
