import { beforeEach, expect, test } from "vitest";
import { forgetAll, kept } from "../../src/api/kept";

class Shelf implements Storage {
  [name: string]: unknown;

  get length(): number {
    return Object.keys(this).length;
  }
  key(place: number): string | null {
    return Object.keys(this)[place] ?? null;
  }
  getItem(key: string): string | null {
    const value = this[key];
    return typeof value === "string" ? value : null;
  }
  setItem(key: string, value: string): void {
    this[key] = value;
  }
  removeItem(key: string): void {
    delete this[key];
  }
  clear(): void {
    for (const key of Object.keys(this)) delete this[key];
  }
}

const isText = (value: unknown): value is string => typeof value === "string";
let storage: Shelf;

beforeEach(() => {
  storage = new Shelf();
});

test("what was typed is there again, with its time", () => {
  kept("ada", "order:1", isText, storage).write("half a name");

  const found = kept("ada", "order:1", isText, storage).read();

  expect(found?.value).toBe("half a name");
  expect(Date.now() - (found?.at.getTime() ?? 0)).toBeLessThan(60_000);
});

test("another person at this computer and another record find nothing", () => {
  kept("ada", "order:1", isText, storage).write("half a name");

  expect(kept("grace", "order:1", isText, storage).read()).toBeNull();
  expect(kept("ada", "order:2", isText, storage).read()).toBeNull();
});

test("what an older release kept in another shape is not taken", () => {
  storage.setItem("seqfacility:kept:ada:order:1", JSON.stringify({ at: "2031-01-01T00:00:00Z", value: 7 }));
  storage.setItem("seqfacility:kept:ada:order:2", "{broken");

  expect(kept("ada", "order:1", isText, storage).read()).toBeNull();
  expect(kept("ada", "order:2", isText, storage).read()).toBeNull();
});

test("a full storage stops nobody from typing", () => {
  storage.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };

  expect(() => kept("ada", "order:1", isText, storage).write("half a name")).not.toThrow();
});

test("signing out forgets what is kept and nothing else", () => {
  storage.setItem("seqfacility:theme", "dark");
  kept("ada", "order:1", isText, storage).write("half a name");
  kept("grace", "order:2", isText, storage).write("another");

  forgetAll(storage);

  expect(Object.keys(storage)).toEqual(["seqfacility:theme"]);
});

test("a page that its person has left keeps nothing any more", () => {
  const draft = kept("ada", "order:1", isText, storage);
  draft.write("half a name");

  forgetAll(storage);
  draft.write("half a name");

  expect(storage.length).toBe(0);
});
