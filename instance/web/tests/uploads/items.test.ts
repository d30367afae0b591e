import { describe, expect, it } from "vitest";
import { goneOnWith, halfWay } from "../../src/uploads/plan/items";
import type { Answer } from "../../src/uploads/plan/state";
import { Rate, secondsLeft } from "../../src/uploads/rate";

const session = (uploadId: string, status: string, set?: { id: string; files: number }) => ({
  uploadId,
  status,
  metadata: set ? { uploadSet: set } : {},
});
const monday = { id: "monday", files: 4 };

describe("what is half-way", () => {
  it("is told of the whole set, whoever sent which part", () => {
    const sessions = [
      session("1", "COMPLETED", monday),
      session("2", "COMPLETED", monday),
      session("3", "UPLOADING", monday),
      session("4", "CANCELLED", monday),
      session("5", "COMPLETED", { id: "last year", files: 9 }),
    ];
    expect(halfWay(sessions)).toEqual({ filed: 2, open: 1, all: 4 });
  });

  it("counts a session of another client for itself", () =>
    expect(halfWay([session("1", "PENDING"), session("2", "COMPLETED")])).toEqual({
      filed: 0,
      open: 1,
      all: 1,
    }));

  it("is nothing when all is filed or given up", () =>
    expect(halfWay([session("1", "COMPLETED", monday), session("2", "CANCELLED", monday)])).toBeNull());

  it.each([{ uploadSet: "monday" }, { uploadSet: { id: 1, files: "4" } }, { uploadSet: null }])(
    "is not misled by %j",
    (metadata) =>
      expect(halfWay([{ uploadId: "1", status: "READY", metadata }])).toEqual({ filed: 0, open: 1, all: 1 }),
  );
});

describe("a plan", () => {
  const answer = {
    uploads: [
      { continues: { uploadId: "3" }, alreadyFiled: null },
      { continues: null, alreadyFiled: { uploadId: "1" } },
      { continues: null, alreadyFiled: null },
      { continues: null, alreadyFiled: null },
    ],
  } as unknown as Answer;

  it("goes on with the set of what is there of it", () =>
    expect(goneOnWith(answer, [session("3", "READY", monday)])).toEqual(monday));

  it("is a new set when it has another number of files", () =>
    expect(goneOnWith(answer, [session("3", "READY", { id: "x", files: 5 })])).toBeNull());

  it("has nothing to do with the sets of other files", () =>
    expect(goneOnWith(answer, [session("9", "READY", monday)])).toBeNull());
});

describe("the rate", () => {
  it("is that of the last ten seconds", () => {
    const rate = new Rate();
    for (let second = 0; second <= 30; second++)
      rate.note(second * 1000, second < 15 ? 0 : (second - 15) * 50);
    expect(rate.perSecond).toBe(50);
  });

  it("is not known at once", () => {
    const rate = new Rate();
    rate.note(0, 0);
    rate.note(900, 100);
    expect(rate.perSecond).toBeNull();
  });

  it("begins anew when something was given up", () => {
    const rate = new Rate();
    rate.note(0, 1000);
    rate.note(2000, 3000);
    rate.note(2500, 0);
    expect(rate.perSecond).toBeNull();
  });

  it("says how long it takes, and nothing while nothing moves", () => {
    expect(secondsLeft(1000, 50)).toBe(20);
    expect(secondsLeft(1000, 0)).toBeNull();
    expect(secondsLeft(1000, null)).toBeNull();
  });
});
