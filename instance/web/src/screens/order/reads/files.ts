import type { Md5State, Read, Row } from "./state";

export type Mate = "R1" | "R2";

/** One file of a read, with what is known of it. */
export interface ReadFile {
  mate: Mate;
  path: string;
  name: string;
  size: number | null;
  reads: number | null;
  quality: number | null;
  checksum: string | null;
  intake: Read["intake1"];
}

/** The files that a read has, R1 before R2. */
export function filesOf(read: Read | null): ReadFile[] {
  if (read === null) return [];
  const both = [
    {
      mate: "R1" as const,
      path: read.file1,
      size: read.size1,
      reads: read.readCount1,
      quality: read.avgQuality1,
      checksum: read.checksum1,
      intake: read.intake1,
    },
    {
      mate: "R2" as const,
      path: read.file2,
      size: read.size2,
      reads: read.readCount2,
      quality: read.avgQuality2,
      checksum: read.checksum2,
      intake: read.intake2,
    },
  ];
  return both.flatMap((file) =>
    file.path === null ? [] : [{ ...file, path: file.path, name: nameOf(file.path) }],
  );
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The sum of what is known; null where nothing is. */
export function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** The mean of what is known; null where nothing is. */
export function meanOf(values: readonly (number | null)[]): number | null {
  const sum = sumOf(values);
  return sum === null ? null : sum / values.filter((value) => value !== null).length;
}

/** What examining the files of a read found. */
export type Verdict = "problem" | "ok" | "unchecked";

export function verdictOf(files: readonly ReadFile[]): Verdict {
  if (files.some(({ intake }) => intake?.verdict === "problem")) return "problem";
  return files.every(({ intake }) => intake !== null) ? "ok" : "unchecked";
}

/** What was found wrong with the files, each once and in the words of the service. */
export const problemsOf = (files: readonly ReadFile[]): string[] => [
  ...new Set(files.flatMap(({ intake }) => intake?.problems ?? [])),
];

export interface KnownFile extends ReadFile {
  md5: Md5State;
}

/** The files of a sample, with what is known of their MD5. */
export const knownFiles = (row: Row): KnownFile[] =>
  filesOf(row.read).map((file) => ({
    ...file,
    md5: (file.mate === "R1" ? row.md5State1 : row.md5State2) ?? "none",
  }));

/** From what asks for a look to what is in order. */
const MD5_ORDER: readonly Md5State[] = ["differs", "none", "given", "computed", "verified"];

/** The state of the MD5 of several files is that of the one that asks most for a look. */
export const worstMd5 = (states: readonly Md5State[]): Md5State | null =>
  MD5_ORDER.find((state) => states.includes(state)) ?? null;
