import { count, counted, list, size } from "../format";

const samples = (value: number): string => counted(value, "sample", "samples");

/** Starting an analysis of an order or a study. */
export const startText = {
  open: "Start analysis",
  title: (name: string): string => `Analyse ${name}`,
  pipeline: "Pipeline",
  noPipelines: "No pipeline is enabled",
  noPipelinesWhy: "A pipeline is installed and enabled under Pipelines. Then it can be chosen here.",
  choosePipeline: "Choose a pipeline first.",
  by: (version: string): string => `Version ${version}`,
  unavailable: (reasons: readonly string[]): string => `Not available: ${list(reasons)}`,
  warnings: "Before you start",
  samples: "Samples",
  sampleList: "Samples to choose",
  noSamples: "There are no samples",
  noSamplesWhy: "An analysis needs samples with reads.",
  sample: "Sample",
  code: "Code",
  chosen: "Chosen",
  why: "Why not",
  choose: (name: string): string => `Choose ${name}`,
  chooseAll: (usable: number): string => `Choose all ${count(usable)}`,
  chooseNone: "Choose none",
  sequencingRun: "Sequencing run",
  placed: (placed: number): string => `${samples(placed)} on it`,
  noSequencingRuns: "There is no sequencing run",
  noSequencingRunsWhy:
    "This pipeline makes reads of a run folder. Plan the sequencing run under Runs, with its folder.",
  chooseSequencingRun: "Choose a sequencing run first.",
  chosenOf: (chosen: number, usable: number, all: number): string =>
    usable === all
      ? `${count(chosen)} of ${samples(all)} chosen`
      : `${count(chosen)} chosen of ${count(usable)} that can be used; ${samples(all - usable)} can't`,
  tile: { chosen: "Chosen", left: "Left out", unusable: "Can't be used" },
  settings: "Settings",
  noSettings: "This pipeline has no settings.",
  onItsPage: "on the page of the pipeline",
  where: "Where it runs",
  place: { local: "This machine", slurm: "Slurm", gridengine: "Grid Engine" },
  usual: (place: string): string => `As usual: ${place}`,
  readiness: "Ready to run",
  verdict: { ok: "OK", warn: "Look at it", fail: "Missing" },
  reference: "Reference data",
  database: (label: string, version: string): string => `${label} ${version}`,
  databaseState: {
    missing: "not here yet",
    queued: "waits to be fetched",
    fetching: "is being fetched",
    ready: "ready",
    failed: "could not be fetched",
  },
  fetched: (received: number, total: number | null): string =>
    total === null ? size(received) : `${size(received)} of ${size(total)}`,
  bytes: (total: number | null): string => (total === null ? "size not known" : size(total)),
  checking: "Checking",
  moreLines: (lines: number): string => `and ${count(lines)} more`,
  good: "Checked: this can start.",
  checkFailed: "Checking is not possible now. Starting it checks again.",
  wrong: "See above what keeps it from starting.",
  start: (chosen: number): string => `Start on ${samples(chosen)}`,
  startAgain: (run: string): string => `Start ${run}`,
  remove: "Delete the run",
  removeOf: (run: string): string => `Delete the run ${run}`,
  made: (run: string): string => `The run ${run} is made, but it was not started.`,
  madeWhat:
    "Start it again, or delete it. If you close this, it stays among the analyses and can be started there.",
  waits: (position: number, reason: string): string => `It waits at place ${count(position)}. ${reason}`,
  started: (run: string): string => `${run} is started.`,
  warned: (warnings: readonly string[]): string => `Started with a warning: ${warnings.join(" ")}`,
} as const;

/** What a registry says against a version of a pipeline. */
export const noticeText = {
  withdrawn: "Withdrawn",
  knownSince: "Known here since",
  otherPackage: "Another package",
  otherPackageWhy:
    "What the registry signs under this version is not what is installed. Its SHA-256 begins with",
  advisory: (severity: string): string => `Advisory, ${severity}`,
  published: (day: string): string => `Published on ${day}.`,
  fixedIn: (version: string): string => `Fixed in ${version}.`,
  more: (id: string): string => `More about ${id}`,
} as const;

/** The analyses of an order, as the facility sees them. */
export const listText = {
  countRuns: (runs: number): string => counted(runs, "run", "runs"),
  compare: (runs: number): string => `Compare ${counted(runs, "run", "runs")}`,
  compareOf: (pipeline: string): string => `Runs of ${pipeline} side by side`,
  onlyNewest: (shown: number): string => `The ${count(shown)} newest are compared.`,
  fact: "What",
  state: "State",
  version: "Pipeline version",
  config: "Changed settings",
  defaults: "none",
  samples: "Samples",
  samplesOf: (number: number, isSame: boolean): string => `${count(number)}${isSame ? "" : ", other ones"}`,
  duration: "Took",
  outputs: "Outputs",
  outputsOf: (files: number, assemblies: number, bins: number): string =>
    [
      counted(files, "file", "files"),
      assemblies > 0 && counted(assemblies, "assembly", "assemblies"),
      bins > 0 && counted(bins, "bin", "bins"),
    ]
      .filter(Boolean)
      .join(", "),
  reads: "Reads offered",
  readsOf: (open: number, promoted: number): string => `${count(open)} offered, ${count(promoted)} promoted`,
  noReads: "none",
  report: "Report",
  noReport: "none",
  ended: "Ended",
  queue: (position: number): string => `Place ${count(position)} in the queue of this machine.`,
  progress: (run: string): string => `Progress of ${run}`,
  notStarted: "Made, but not started.",
  start: "Start",
} as const;
