import { expect, test } from "vitest";
import { merged, typedOf, valueIn } from "../../src/screens/pipelines/stored-settings";

const whole = (title: string) => ({ type: "integer", title });
const OLD = { length: whole("Length"), depth: whole("Depth"), quality: whole("Quality") };
const DEFAULTS = { length: 1500, depth: 10 };
const pipeline = (config: Record<string, unknown>, properties: object = OLD) => ({
  version: "1.0.0",
  configSchema: { type: "object", properties },
  packageConfig: DEFAULTS,
  config,
});

test("what only one of two people set is kept, also back to its default", () => {
  const base = pipeline({ length: 2000, depth: 20 });
  const now = pipeline({ length: 2000, quality: 30 });

  const { typed, disputed } = merged(base, now, { depth: "20" });

  expect(typed).toEqual({ quality: "30" });
  expect(disputed).toEqual([]);
});

test("what both set is disputed, unless it is the same", () => {
  const base = pipeline({});
  const now = pipeline({ length: 2500, depth: 20 });

  const { typed, disputed } = merged(base, now, { length: "2000", depth: "20" });

  expect(typed).toEqual({ length: "2000", depth: "20" });
  expect(disputed.map(({ key }) => key)).toEqual(["length"]);
});

test("a default that was typed is no change, and no number stays what was typed", () => {
  const { typed, disputed } = merged(pipeline({}), pipeline({ length: 2500 }), {
    length: "1500",
    depth: "many",
  });

  expect(typed).toEqual({ length: "2500", depth: "many" });
  expect(disputed).toEqual([]);
});

test("one who took a value back and one who changed it are asked", () => {
  const base = pipeline({ length: 2000 });
  const now = pipeline({ length: 2500 });

  const { typed, disputed } = merged(base, now, {});

  expect(disputed.map(({ key }) => key)).toEqual(["length"]);
  expect(disputed.map((field) => [valueIn(field, now, typed), valueIn(field, now, typedOf(now))])).toEqual([
    [1500, 2500],
  ]);
});

test("a field that another version has not is left out, and one that it has is there", () => {
  const now = pipeline({}, { length: whole("Length"), shortest: whole("Shortest") });

  expect(merged(pipeline({ depth: 20 }), now, { depth: "20", length: "2000" }).typed).toEqual({
    length: "2000",
  });
});
