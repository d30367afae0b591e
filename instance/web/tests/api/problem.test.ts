import { describe, expect, test } from "vitest";
import { fieldErrors, Problem, readDetail } from "../../src/api/problem";

describe("a line of details", () => {
  test.each([
    ["name: is required", "name", "is required"],
    [
      "samples[12].customFields.volumeUl: must be a number",
      "samples[12].customFields.volumeUl",
      "must be a number",
    ],
    ["customFields.date-of-sampling: is required", "customFields.date-of-sampling", "is required"],
    ["path: a reason: with a colon", "path", "a reason: with a colon"],
    ["S-1795352304578-GH367G.organism: is required", "S-1795352304578-GH367G.organism", "is required"],
  ])("%s names its place", (line, path, reason) => {
    expect(readDetail(line)).toEqual({ path, reason });
  });

  test.each(["Two samples have this name: lake-1", "The file is empty.", ": nothing", "name:is required"])(
    "%s names no place",
    (line) => {
      expect(readDetail(line)).toEqual({ path: null, reason: line });
    },
  );
});

test("the first reason of a field is the one beside it", () => {
  const problem = new Problem("Validation failed", 400, {
    details: ["name: is required", "name: is short", "Whole."],
  });

  expect(fieldErrors(problem)).toEqual(new Map([["name", "is required"]]));
});

test("the reason of an entry is that of its list, too", () => {
  const problem = new Problem("Validation failed", 400, { details: ["addresses[1]: is no address"] });

  expect(fieldErrors(problem).get("addresses")).toBe("is no address");
  expect(fieldErrors(problem).get("addresses[1]")).toBe("is no address");
});

test("what is no list of details has none", () => {
  expect(new Problem("Refused", 400, { details: "name: is required" }).details).toEqual([]);
});

test("a refusal tells what to quote and when to come back", () => {
  const headers = new Headers({ "X-Request-Id": "r1", "Retry-After": "30" });

  const problem = new Problem("Too many requests", 429, {}, headers);

  expect([problem.requestId, problem.retryAfterSeconds]).toEqual(["r1", 30]);
});
