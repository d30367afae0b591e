import { parameterOf } from "./parameters";
/** The answers of a run's form as texts, by the path that the API uses. */
import type { Format, Run, RunBody } from "./state";

export type RunValues = Readonly<Record<string, string>>;

export const DETAILS = [
  "runId",
  "runName",
  "instrument",
  "platform",
  "runDate",
  "notes",
  "folderPath",
] as const;

const PARAMETER = "runParameters.";

/** The parameters that a sample sheet takes from a run. */
export const PARAMETERS: Readonly<Record<Format, readonly string[]>> = {
  minknow: ["kit", "flow_cell_id", "position_id", "flow_cell_product_code", "experiment_id", "sample_id"],
  illumina: [
    "Read1Cycles",
    "Read2Cycles",
    "Index1Cycles",
    "Index2Cycles",
    "OverrideCycles",
    "IndexOrientation",
    "SoftwareVersion",
    "AdapterRead1",
    "AdapterRead2",
    "BarcodeMismatchesIndex1",
    "BarcodeMismatchesIndex2",
  ],
};

export const SET = `${PARAMETER}barcodeSetId`;
export const pathOf = (parameter: string): string => `${PARAMETER}${parameter}`;

const PATHS: readonly string[] = [
  ...DETAILS,
  SET,
  ...[...PARAMETERS.minknow, ...PARAMETERS.illumina].map(pathOf),
];

export function valuesOf(run: Run | null): RunValues {
  const text = (path: string): string => {
    if (run === null) return "";
    if (path.startsWith(PARAMETER)) return parameterOf(run, path.slice(PARAMETER.length));
    const detail = DETAILS.find((known) => known === path);
    return detail === undefined ? "" : (run[detail] ?? "");
  };
  return Object.fromEntries(PATHS.map((path) => [path, text(path)]));
}

export const changesOf = (from: RunValues, to: RunValues): string[] =>
  PATHS.filter((path) => (from[path] ?? "").trim() !== (to[path] ?? "").trim());

/** What is sent: only what was changed. Parameters keep the spelling under which they are stored. */
export function bodyOf(run: Run | null, from: RunValues, to: RunValues): RunBody {
  const changed = changesOf(from, to);
  const valueAt = (path: string): string => (to[path] ?? "").trim();
  const details = DETAILS.filter((path) => changed.includes(path)).map((path) => [path, valueAt(path)]);
  const stored = Object.keys(run?.runParameters ?? {});
  const parameters = changed
    .filter((path) => path.startsWith(PARAMETER))
    .map((path) => {
      const name = path.slice(PARAMETER.length);
      const spelled = stored.find((key) => key.toLowerCase() === name.toLowerCase());
      return [spelled ?? name, valueAt(path) === "" ? null : valueAt(path)];
    });
  return {
    ...Object.fromEntries(details),
    ...(parameters.length > 0 && { runParameters: Object.fromEntries(parameters) }),
  };
}

/** Lay what was changed here over what is stored now. */
export function mergedValues(base: RunValues, mine: RunValues, theirs: RunValues): RunValues {
  const changed = changesOf(base, mine);
  return Object.fromEntries(
    PATHS.map((path) => [path, (changed.includes(path) ? mine : theirs)[path] ?? ""]),
  );
}

/** What two people changed differently. */
export function conflictsOf(base: RunValues, mine: RunValues, theirs: RunValues): string[] {
  const both = new Set(changesOf(base, theirs));
  const apart = new Set(changesOf(mine, theirs));
  return changesOf(base, mine).filter((path) => both.has(path) && apart.has(path));
}
