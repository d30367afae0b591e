import { expect, test } from "vitest";
import { Problem } from "../../src/api/problem";
import { resource } from "../../src/api/resource";

/** A service that answers when a test lets it. */
class SlowService {
  asked: { signal: AbortSignal; answer: (text: string) => void; fail: (error: Error) => void }[] = [];

  read = (signal: AbortSignal): Promise<string> =>
    new Promise((answer, fail) => this.asked.push({ signal, answer, fail }));
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test("hints that come faster than answers make one further read, after the one under way", async () => {
  const service = new SlowService();
  const made = resource(service.read);
  const first = made.reload();
  const later = [made.reload(), made.reload(), made.reload()];
  expect(service.asked).toHaveLength(1);

  service.asked[0]?.answer("one");
  await first;
  expect(made.data.value).toBe("one");
  await settled();
  expect(service.asked).toHaveLength(2);

  service.asked[1]?.answer("two");
  await Promise.all(later);
  expect(made.data.value).toBe("two");
  await settled();
  expect(service.asked).toHaveLength(2);
});

test("a stream of hints starves nobody: each answer is shown", async () => {
  const service = new SlowService();
  const made = resource(service.read);
  void made.reload();
  for (const [place, words] of ["a", "b", "c", "d"].entries()) {
    for (let hints = 0; hints < 5; hints += 1) void made.reload();
    service.asked[place]?.answer(words);
    await settled();
    expect(made.data.value).toBe(words);
  }
  expect(service.asked.every(({ signal }) => !signal.aborted)).toBe(true);
});

test("a read that fails is followed by the one that was asked for meanwhile", async () => {
  const service = new SlowService();
  const made = resource(service.read);
  void made.reload();
  const again = made.reload();
  service.asked[0]?.fail(new Problem("gone", 503));
  await settled();
  service.asked[1]?.answer("back");
  await again;
  expect(made.data.value).toBe("back");
  expect(made.problem.value).toBeNull();
});

test("what is stopped reads nothing more and can begin anew", async () => {
  const service = new SlowService();
  const made = resource(service.read);
  void made.reload();
  void made.reload();
  made.stop();
  const anew = made.reload();
  expect(service.asked).toHaveLength(2);

  service.asked[0]?.answer("old");
  service.asked[1]?.answer("new");
  await anew;
  await settled();
  expect(made.data.value).toBe("new");
  expect(service.asked).toHaveLength(2);
  expect(made.waiting.value).toBe("no");
});
