import type { Problem } from "../../../api/problem";
import type { Assignment, DataClass, DiskFile, Plan } from "./state";

/** What was chosen here, by path; the plan decides about all else. */
export interface Choices {
  /** Left out, or taken though another read has it. */
  isIn: ReadonlyMap<string, boolean>;
  sampleOf: ReadonlyMap<string, string>;
  mateOf: ReadonlyMap<string, "R1" | "R2">;
}

export const NO_CHOICES: Choices = { isIn: new Map(), sampleOf: new Map(), mateOf: new Map() };

type Planned = Plan["files"][number];

/** A file that may be linked, and what becomes of it. */
export interface LinkRow {
  path: string;
  size: number;
  usedBy: DiskFile["usedBy"];
  isIn: boolean;
  /** What somebody typed for its sample; else the one that its name says. */
  sample: string;
  mate: "R1" | "R2" | "";
  planned: Planned | null;
}

/** A file that a read has is not linked again unless somebody says so. */
export const isTaken = (file: DiskFile, choices: Choices): boolean =>
  choices.isIn.get(file.path) ?? file.usedBy === null;

export function rowsOf(files: readonly DiskFile[], plan: Plan | null, choices: Choices): LinkRow[] {
  const planned = new Map(plan?.files.map((file) => [file.path, file]));
  return files.map((file) => {
    const found = planned.get(file.path) ?? null;
    return {
      path: file.path,
      size: file.size,
      usedBy: file.usedBy,
      isIn: isTaken(file, choices),
      sample: choices.sampleOf.get(file.path) ?? found?.sample?.sampleAlias ?? found?.sample?.sampleId ?? "",
      mate: choices.mateOf.get(file.path) ?? found?.mate ?? "",
      planned: found,
    };
  });
}

export interface Pair {
  sampleId: string;
  sample: string;
  file1: string | null;
  file2: string | null;
}

/** What is linked to each sample, in the order of the files. */
export function pairsOf(rows: readonly LinkRow[]): Pair[] {
  const pairs = new Map<string, Pair>();
  for (const { isIn, path, planned } of rows) {
    if (!isIn || planned?.kind !== "upload" || planned.sample === null) continue;
    const { id, sampleId, sampleAlias } = planned.sample;
    const pair = pairs.get(id) ?? { sampleId: id, sample: sampleAlias ?? sampleId, file1: null, file2: null };
    pairs.set(id, pair);
    if (planned.mate === "R2") pair.file2 = path;
    else pair.file1 = path;
  }
  return [...pairs.values()];
}

export const assignmentsOf = (
  pairs: readonly Pair[],
  dataClass: DataClass,
  note: string,
): { assignments: Assignment[]; places: Map<string, string> } => {
  const places = new Map<string, string>();
  const assignments = pairs.map(({ sampleId, file1, file2 }, place) => {
    const only = file1 ?? file2 ?? "";
    places.set(`assignments[${place}].file1`, only);
    places.set(`assignments[${place}].sampleId`, only);
    if (file2 !== null) places.set(`assignments[${place}].file2`, file2);
    return { sampleId, file1: file1 ?? "", file2, dataClass, note: note === "" ? null : note };
  });
  return { assignments, places };
};

/** Why the service refused files, by path. */
export function refusedFiles(problem: Problem, places: ReadonlyMap<string, string>): Map<string, string> {
  const refused = new Map<string, string>();
  for (const { path, reason } of problem.details) {
    const file = path === null ? undefined : places.get(path);
    if (file !== undefined) refused.set(file, reason);
  }
  return refused;
}
