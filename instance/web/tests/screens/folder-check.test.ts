import { describe, expect, it } from "vitest";
import { type FolderFile, pairUp, readChecksums } from "../../src/screens/order/delivery/folder-check";

const MD5 = "0123456789abcdef0123456789abcdef";

function at(...paths: string[]): FolderFile[] {
  return paths.map((path) => ({ path, file: new File([], path) }));
}

describe("a list of checksums", () => {
  it("is read as md5sum writes it", () => {
    const list = readChecksums(`${MD5}  reads/S-1/lake 1_R1.fastq.gz\n${MD5.toUpperCase()} *reads/b.fq\n`);

    expect(list).toEqual([
      { md5: MD5, path: "reads/S-1/lake 1_R1.fastq.gz" },
      { md5: MD5, path: "reads/b.fq" },
    ]);
  });

  it("gives escaped names back as they are", () => {
    expect(readChecksums(`\\${MD5}  a\\nb\\\\c\n`)).toEqual([{ md5: MD5, path: "a\nb\\c" }]);
  });

  it("keeps a backslash of a name that is not escaped", () => {
    expect(readChecksums(`${MD5}  a\\nb\n`)).toEqual([{ md5: MD5, path: "a\\nb" }]);
  });

  it("leaves out what is no line of it", () => {
    expect(readChecksums("# a comment\n\nshort  file\n")).toEqual([]);
  });
});

describe("a folder that is checked", () => {
  const list = readChecksums(`${MD5}  reads/S-1/R1.fq\n${MD5}  reads/S-2/R1.fq\n${MD5}  reports/a.html\n`);

  it("may be any folder around the files", () => {
    const folder = at(
      "home/ORD-1/reads/S-1/R1.fq",
      "home/ORD-1/reads/S-2/R1.fq",
      "home/ORD-1/reports/a.html",
    );

    expect(pairUp(list, folder).map(({ found }) => found?.path)).toEqual(folder.map(({ path }) => path));
  });

  it("says what is missing", () => {
    const pairs = pairUp(list, at("d/reads/S-1/R1.fq", "d/notes.txt"));

    expect(pairs.map(({ found }) => found?.path ?? null)).toEqual(["d/reads/S-1/R1.fq", null, null]);
  });

  it("takes a file by its name alone when there is no other of that name", () => {
    const pairs = pairUp(list, at("d/R1.fq", "d/a.html"));

    expect(pairs.map(({ found }) => found?.path ?? null)).toEqual([null, null, "d/a.html"]);
  });

  it("never takes a name's end for a folder", () => {
    expect(pairUp(readChecksums(`${MD5}  s/a.fq\n${MD5}  t/a.fq\n`), at("d/xs/a.fq"))[0]?.found).toBeNull();
  });
});
