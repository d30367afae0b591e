import { describe, expect, it } from "vitest";
import { checksumsBeside, isChecksumList, listedChecksums } from "../../src/uploads/choose/checksum-lists";
import { type Entry, filesOfEntries, inOrder, MOST_FILES } from "../../src/uploads/choose/tree";

const MD5 = "d41d8cd98f00b204e9800998ecf8427e";

const file = (name: string): Entry => ({ name, isFile: true, file: (found) => found(new File(["x"], name)) });

/** A folder whose reader tells two entries at a time, as browsers tell a hundred. */
function folder(name: string, children: readonly Entry[]): Entry {
  return {
    name,
    isFile: false,
    createReader() {
      const left = [...children];
      return { readEntries: (found) => found(left.splice(0, 2)) };
    },
  };
}

const pathsOf = async (...entries: Entry[]): Promise<string[]> =>
  (await filesOfEntries(entries)).files.map(({ path }) => path);

describe("what was dropped", () => {
  it("is read with all folders, in the order of names", async () => {
    const dropped = folder("run", [
      file("b_10.fq"),
      folder("lane1", [file("z.fq"), folder("deep", [file("a.fq")])]),
      file("b_9.fq"),
      file("a.fq"),
    ]);
    expect(await pathsOf(dropped, file("alone.fq"))).toEqual([
      "alone.fq",
      "run/a.fq",
      "run/b_9.fq",
      "run/b_10.fq",
      "run/lane1/deep/a.fq",
      "run/lane1/z.fq",
    ]);
  });

  it("leaves out hidden files and what is in hidden folders", async () => {
    expect(await pathsOf(folder("run", [file(".DS_Store"), folder(".git", [file("a")]), file("b")]))).toEqual(
      ["run/b"],
    );
  });

  it("may be as deep as a disk allows", async () => {
    let deep = file("end.fq");
    for (let level = 0; level < 1000; level++) deep = folder("f", [deep]);
    expect(await pathsOf(deep)).toHaveLength(1);
  });

  it("is rejected when a folder can't be read", async () => {
    const closed: Entry = {
      name: "closed",
      isFile: false,
      createReader: () => ({ readEntries: (_found, failed) => failed(new Error("not yours")) }),
    };
    await expect(filesOfEntries([closed])).rejects.toThrow("not yours");
  });

  it("has more than a plan takes beyond 10,000 files", () => {
    const many = Array.from({ length: MOST_FILES + 1 }, (_, at) => ({
      path: `${at}`,
      file: new File([], ""),
    }));
    expect(inOrder(many.slice(1)).hasMore).toBe(false);
    expect(inOrder(many).hasMore).toBe(true);
    expect(inOrder(many).files).toHaveLength(MOST_FILES);
  });
});

describe("a list of MD5", () => {
  it.each(["md5sum.txt", "run/MD5SUM.TXT", "a/soil_R1.fastq.gz.md5", "all.md5"])("is %s", (path) =>
    expect(isChecksumList(path)).toBe(true),
  );

  it.each([".md5", "md5sum.txt.gz", "a.md5/b.fq"])("is not %s", (path) =>
    expect(isChecksumList(path)).toBe(false),
  );

  it.each([
    [`${MD5}  soil.fq.gz`, "run/soil.fq.gz"],
    [`${MD5.toUpperCase()} *lane1/soil.fq.gz`, "run/lane1/soil.fq.gz"],
    [`MD5 (./soil.fq.gz) = ${MD5}`, "run/soil.fq.gz"],
    [`${MD5}  ../other/soil.fq.gz`, "other/soil.fq.gz"],
  ])("says %s", (line, path) =>
    expect(listedChecksums("run/md5sum.txt", `# a remark\r\n${line}\r\n`)).toEqual([{ path, md5: MD5 }]),
  );

  it("of one checksum alone is of the file that it is called after", () =>
    expect(listedChecksums("run/soil.fq.gz.md5", `${MD5}\n`)).toEqual([
      { path: "run/soil.fq.gz", md5: MD5 },
    ]));

  it("is not sent itself, and counts for what was chosen with it", async () => {
    const list = new File([`${MD5}  a.fq\n${MD5}  gone.fq\n`], "md5sum.txt");
    const found = await checksumsBeside([
      { path: "run/md5sum.txt", file: list },
      { path: "run/a.fq", file: new File(["x"], "a.fq") },
    ]);
    expect(found.files.map(({ path }) => path)).toEqual(["run/a.fq"]);
    expect(found.checksums).toEqual([{ path: "run/a.fq", md5: MD5 }]);
  });
});
