import type { Read } from "./state";

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
