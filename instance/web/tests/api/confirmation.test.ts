import { expect, it } from "vitest";
import { answerConfirmation, confirmationAsked, confirmed } from "../../src/api/confirmation";

const request = (signal?: AbortSignal) =>
  new Request("http://facility.test/api/admin/users", { signal: signal ?? null });

it("lets several requests wait for one dialog", async () => {
  const waiting = [confirmed(performance.now(), request()), confirmed(performance.now(), request())];
  expect(confirmationAsked.value).toBe(true);

  answerConfirmation(true);

  expect(confirmationAsked.value).toBe(false);
  expect(await Promise.all(waiting)).toEqual([true, true]);
});

it.each([true, false])(
  "answers what was sent before the dialog as the dialog was: %j",
  async (isConfirmed) => {
    const begun = performance.now();
    const first = confirmed(begun, request());
    answerConfirmation(isConfirmed);
    await first;

    expect(await confirmed(begun, request())).toBe(isConfirmed);
    expect(confirmationAsked.value).toBe(false);
  },
);

it("asks again for what is sent after the dialog", async () => {
  const later = performance.now() + 1;
  const asked = confirmed(later, request());
  expect(confirmationAsked.value).toBe(true);
  answerConfirmation(false);
  expect(await asked).toBe(false);
});

it("closes the dialog when nobody wants the request any more", async () => {
  const leaving = new AbortController();
  const asked = confirmed(performance.now() + 1, request(leaving.signal));

  leaving.abort();

  expect(await asked).toBe(false);
  expect(confirmationAsked.value).toBe(false);
});
