import { expect, test } from "vitest";
import { placeAfterSignIn } from "../../src/screens/sign-in/next";

test.each([
  ["/orders/ORD-20311122-0001?tab=a", "/orders/ORD-20311122-0001?tab=a"],
  [undefined, "/"],
  ["", "/"],
  ["https://elsewhere.example/", "/"],
  ["//elsewhere.example/", "/"],
  ["/\\elsewhere.example/", "/"],
  ["/\t/elsewhere.example/", "/"],
  ["/\n\\elsewhere.example/", "/"],
  ["/sign-in?next=/", "/"],
])("next=%s leads to %s", (next, place) => {
  expect(placeAfterSignIn(next)).toBe(place);
});
