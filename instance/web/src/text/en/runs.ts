import { count, counted, duration } from "../format";

/** What is said of a run of a pipeline, in the list and on its page. */
export const runText = {
  runs: "Runs",
  state: {
    pending: "Waiting to start",
    queued: "Queued",
    running: "Running",
    completed: "Completed",
    failed: "Failed",
    cancelled: "Cancelled",
  },
  tone: {
    pending: "wait",
    queued: "wait",
    running: "run",
    completed: "ok",
    failed: "bad",
    cancelled: "calm",
  },
  runningPart: (percent: number): string => `Running, ${percent} %`,
  selected: "Selected",
  by: (name: string, version: string): string => `${name} ${version}`,
} as const;

/** The list of runs. */
export const listText = {
  number: "Number",
  pipeline: "Pipeline",
  version: "Version",
  target: "Order or study",
  state: "State",
  who: "Started by",
  begun: "Made",
  ended: "Ended",
  search: "Search runs",
  searchHint: "Run number, order or study",
  anyState: "Any state",
  anyPipeline: "Any pipeline",
  order: "Order",
  oneOrder: "one order",
  more: (runs: number): string => `Show ${counted(runs, "more run", "more runs")}`,
  none: "No runs yet",
  noneWhy: "An analysis begins on the page of its order: tab Analyses.",
  noneForResearcher: "When the facility has selected the result of an analysis, it appears here.",
  noneFound: "No run fits these filters",
  orders: "See the orders",
} as const;

/** One run. */
export const text = {
  tablist: "Run",
  tabs: {
    summary: "Summary",
    tasks: "Tasks",
    log: "Log",
    evidence: "Evidence",
    results: "Results",
    files: "Files",
  },
  state: "State",
  progress: "Progress",
  running: (done: number, open: number, secondsLeft: number | null): string =>
    [
      done + open > 0 && `${counted(done, "task", "tasks")} done`,
      open > 0 && `${count(open)} running`,
      secondsLeft !== null && `about ${duration(secondsLeft)} more`,
    ]
      .filter(Boolean)
      .join(", "),
  cancelRun: "Cancel run",
  cancelTitle: (number: string): string => `Cancel ${number}`,
  cancelWhat: (number: string): string =>
    `${number} is ended at once, with all its tasks. What it has made so far stays in its folder.`,
  cancelled: "The run is cancelled.",
  startRun: "Start run",
  resume: "Resume",
  resumed: "The run goes on.",
  startAgain: "Start again",
  waits: (position: number, reason: string): string =>
    position === 1 ? `Next in the queue: ${reason}` : `Number ${count(position)} in the queue: ${reason}`,
  waitsSince: "Waits since",
  startedAgainFrom: "Started again from",
  resumedTimes: (times: number): string => `Resumed ${times === 1 ? "once" : `${count(times)} times`}`,
  notStarted: (number: string, words: string): string => `${number} is made and not started: ${words}`,
  made: "made",
  noticed: (pipeline: string, version: string, isWithdrawn: boolean): string =>
    isWithdrawn
      ? `${pipeline} ${version}, which this run was made with, was withdrawn`
      : `There is an advisory on ${pipeline} ${version}, which this run was made with`,
  seeRegistry: "See everything that the registry says of installed pipelines",
} as const;

/** What a run was asked for and how it went. */
export const summaryText = {
  warnings: "Warnings",
  times: "Times",
  who: "Made by",
  made: "Made",
  queued: "Queued",
  started: "Started",
  ended: "Ended",
  took: "Took",
  where: "Runs on",
  selected: "Selected as result",
  backend: { local: "This machine", slurm: "Slurm", gridengine: "Grid Engine" },
  samples: (number: number): string => counted(number, "sample", "samples"),
  moreSamples: (number: number): string => `${count(number)} more`,
  choices: "Configuration",
  onlyDefaults: "Everything as the pipeline has it.",
} as const;

/** Why a run failed. */
export const failureText = {
  failed: "The run failed",
  likely: (cause: string): string => `Likely cause: ${cause}`,
  causeLine: "Where it shows",
  inProcess: (process: string): string => `in ${process}`,
  exitCode: (code: number): string => `exit code ${code}`,
  firstFailed: (name: string): string => `First failed task: ${name}`,
  openTask: "See it among the tasks",
  lastLines: "Last lines of the log",
  wholeLog: "See the whole log",
  kind: {
    validation: "Refused before the launch",
    launch: "Failed at the launch",
    exit: "The workflow ended with an error",
    outputs: "The outputs were not found",
    scheduler: "Ended by the scheduler",
    engine: "The workflow engine reported a failure",
    interrupted: "Interrupted",
  },
  cause: {
    "out-of-memory": "out of memory",
    "disk-full": "the disk is full",
    "time-limit": "the time limit was reached",
    "node-failed": "the computing node failed",
    "cancelled-by-scheduler": "the scheduler has cancelled it",
    "container-missing": "the container is missing",
    "environment-failed": "the software environment could not be made",
    "command-missing": "a command is missing",
    "permission-denied": "a permission is missing",
    "workflow-broken": "the workflow itself is broken",
    "input-damaged": "an input file is damaged",
    "input-missing": "an input file is missing",
    "output-missing": "a task did not make its output",
    network: "the network",
    crashed: "a program crashed",
    "ended-from-outside": "it was ended from outside",
  },
} as const;

/** What a run has made. */
export const resultsText = {
  reports: "Reports and tables",
  notYet: "No results yet",
  notYetWhy: "They appear here when the run is completed.",
  none: "No results",
  noneWhy: "This run has left no files that count as results.",
  assembly: "assembly",
  bin: (completeness: number, contamination: number): string =>
    `bin, ${completeness} % complete, ${contamination} % contaminated`,
  noSample: "A sample that is gone",
} as const;

/** What each witness of a run said. */
export const evidenceText = {
  how: "How a run ended is decided from what these say. A run that nobody can say anything about goes on.",
  witnesses: "Witnesses",
  noTime: "no time",
  unknown: "Unknown.",
  engine: "Workflow engine",
  engineSilent: "It has reported no end.",
  engineSays: { completed: "It reported the end of the workflow.", failed: "It reported a failure." },
  executor: "Where it ran",
  noJob: "No job was ever recorded.",
  executorSays: {
    active: "The job is there.",
    ended: "The job has ended.",
    missing: "The job is not found.",
    unknown: "Unknown.",
  },
  job: (backend: string, id: string): string => `job ${id} of ${backend}`,
  process: (pid: number): string => `process ${pid}`,
  word: (word: string): string => `reported as ${word}`,
  exitCode: (code: number): string => `exit code ${code}`,
  exitFile: "Exit file",
  noExitFile: "There is none.",
  endedWith: (code: number): string => `The run ended with exit code ${code}.`,
  outputs: "Outputs",
  outputsSay: {
    found: "They were found.",
    missing: "They are missing.",
    "not-looked-for": "They were not looked for.",
  },
  tasks: "Tasks",
  failedTasks: (number: number): string =>
    number >= 10 ? "10 or more failed." : `${counted(number, "task", "tasks")} failed.`,
  noFailedTask: "None has failed.",
  lastFailed: (name: string, exit: number | null): string =>
    exit === null ? `The last one was ${name}.` : `The last one was ${name}, with exit code ${exit}.`,
  verdict: "Verdict",
  verdictSays: {
    pending: "The run waits to be started.",
    queued: "The run waits in the queue.",
    running: "The run goes on.",
    completed: "The run is completed.",
    failed: "The run has failed.",
    cancelled: "The run is cancelled.",
  },
  cancelAsked: "Its cancellation was asked for.",
  contradiction: "After the verdict the engine reported something else:",
} as const;

/** The files of a run's folder. */
export const filesText = {
  files: "Files",
  path: "File",
  size: "Size",
  changed: "Changed",
  none: "No files",
  noneWhy: "The folder of the run is empty, or it can't be read.",
  noFolder: "The run has no folder before it is started.",
  more: (files: number): string => `Show ${counted(files, "more file", "more files")}`,
} as const;

/** What a run writes. */
export const logText = {
  stream: { output: "Output", error: "Error" },
  of: (stream: string): string => `Log: ${stream}`,
  wrap: "Wrap lines",
  search: "Search in this log",
  searching: "Searching what is before",
  hits: (number: number): string => counted(number, "line", "lines"),
  previousHit: "Previous hit",
  nextHit: "Next hit",
  noHit: "There is none in the lines that are here.",
  searchBack: "Search what is before",
  stopSearching: "Stop searching",
  earlier: "Show earlier lines",
  later: "Show later lines",
  place: (from: string, to: string, all: string): string => `${from} to ${to} of ${all}.`,
  onlyEnd: "The file is gone; its end was kept.",
  toStart: "To the beginning",
  toEnd: "To the end",
  atStart: "This is the beginning.",
  atEnd: "This is the end.",
  follows: "Follows the end.",
  stands: "Stands still while the log grows.",
  keys: "j and k choose a line, whose address can be copied",
  empty: "Nothing written",
  emptyYet: "What the run writes appears here.",
  emptyWhy: "This log is empty.",
} as const;

/** The tasks of a run. */
export const tasksText = {
  tasks: "Tasks",
  timeline: "Timeline of tasks",
  process: "Process",
  tag: "Tag",
  sample: "Sample",
  stateLabel: "State",
  attempt: "Attempt",
  exit: "Exit",
  duration: "Duration",
  cpu: "CPU",
  memory: "Memory",
  submitted: "Submitted",
  started: "Started",
  ended: "Ended",
  search: "Search tasks",
  searchHint: "Process, tag or name",
  notAll: "This page holds no more of them.",
  none: "No tasks",
  noneYet: "They appear here when the workflow engine begins with them.",
  noneWhy: "The workflow engine has reported none.",
  state: {
    failed: "Failed",
    ended: "Ended early",
    running: "Running",
    waiting: "Waiting",
    cached: "Taken over",
    done: "Done",
  },
  tone: {
    failed: "bad",
    ended: "calm",
    running: "run",
    waiting: "wait",
    cached: "calm",
    done: "ok",
  },
  time: (seconds: number | null): string => {
    if (seconds === null) return "";
    return seconds < 10 ? `${seconds.toFixed(1)} s` : duration(Math.round(seconds));
  },
  percent: (value: number | null): string => (value === null ? "" : `${count(Math.round(value))} %`),
  sentence: (name: string, state: string, seconds: number | null, exit: number | null): string =>
    [
      name,
      state,
      seconds === null ? "" : seconds < 10 ? `${seconds.toFixed(1)} s` : duration(Math.round(seconds)),
      exit === null || exit === 0 ? "" : `exit code ${exit}`,
    ]
      .filter(Boolean)
      .join(", "),
  log: (path: string): string => `Log ${path}`,
  truncated: "its end",
} as const;
