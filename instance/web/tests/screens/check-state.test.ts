import { expect, test } from "vitest";
import { type FileHasher, folderCheck } from "../../src/screens/order/delivery/check-state";
import type { FolderFile } from "../../src/screens/order/delivery/folder-check";

const MD5S = ["0".repeat(32), "1".repeat(32), "2".repeat(32)];
const LIST = MD5S.map((md5, place) => `${md5}  reads/${place}.fq\n`).join("");
const FOLDER: FolderFile[] = MD5S.map((_md5, place) => ({
  path: `d/reads/${place}.fq`,
  file: new File([String(place)], `${place}.fq`),
}));

/** Reads the first files at once; the next one goes on until it is stopped. */
class Hasher implements FileHasher {
  #left: number;
  #reject: (reason: Error) => void = () => {};
  readonly reads: Promise<void>;
  readonly #isReading: () => void;

  constructor(
    private readonly sums: readonly string[],
    left = sums.length,
  ) {
    let isReading = (): void => {};
    this.reads = new Promise((resolve) => {
      isReading = resolve;
    });
    this.#isReading = isReading;
    this.#left = left;
  }

  async sum(file: Blob): Promise<string> {
    if (this.#left === 0) {
      this.#isReading();
      return new Promise((_resolve, reject) => {
        this.#reject = reject;
      });
    }
    this.#left -= 1;
    return this.sums[Number(await file.text())] ?? "";
  }

  stop(): void {
    this.#reject(new Error("stopped"));
  }
}

const checked = (hasher: Hasher, list = LIST, unlisted = 0) =>
  folderCheck(
    async () => ({ list, unlisted }),
    [],
    () => hasher,
  );

test("a check that is stopped judges nothing that it has not read", async () => {
  const hasher = new Hasher(MD5S, 1);
  const check = checked(hasher);
  const run = check.run(FOLDER);
  await hasher.reads;

  check.stop();
  await run;

  expect(check.isRunning.value).toBe(false);
  expect(check.problem.value).toBeNull();
  expect(check.outcome.value).toEqual({ kind: "stopped", compared: 1, all: 3 });
  expect(check.files.value.map(({ verdict }) => verdict)).toEqual(["ok", "skipped", "skipped"]);
});

test("after a stop another folder is checked", async () => {
  const hasher = new Hasher(MD5S, 0);
  const hashers = [hasher, new Hasher(MD5S)];
  const check = folderCheck(
    async () => ({ list: LIST, unlisted: 0 }),
    [],
    () => hashers.shift() ?? hasher,
  );
  const run = check.run(FOLDER);
  await hasher.reads;
  check.stop();
  await run;

  await check.run(FOLDER);

  expect(check.outcome.value).toEqual({ kind: "compared", wrong: 0, all: 3, unlisted: 0 });
});

test("files of which no MD5 is known are counted", async () => {
  const check = checked(new Hasher(MD5S), LIST, 2);

  await check.run(FOLDER);

  expect(check.outcome.value).toEqual({ kind: "compared", wrong: 0, all: 3, unlisted: 2 });
});

test("an empty list is no verdict", async () => {
  const check = checked(new Hasher(MD5S), "", 5);

  await check.run(FOLDER);

  expect(check.outcome.value).toEqual({ kind: "nothingListed" });
});

test("a folder that has none of the files is another folder", async () => {
  const check = checked(new Hasher(MD5S));

  await check.run([{ path: "d/notes.txt", file: new File(["n"], "notes.txt") }]);

  expect(check.outcome.value).toEqual({ kind: "noneFound" });
});

test("a stopped check that was not begun says nothing", async () => {
  const check = checked(new Hasher(MD5S));

  check.stop();

  expect(check.outcome.value).toBeNull();
});
