import { count, counted, duration, list, size } from "../format";

const files = (number: number): string => counted(number, "file", "files");

/** Choosing files of this computer. */
export const chooseText = {
  zone: "Reads of the order",
  add: "Add reads",
  files: "Choose files",
  folder: "Choose folder",
  help: "Or drop files or a folder anywhere on this tab. Nothing is sent before you have seen the plan.",
  dropNow: "Drop it to see the plan",
  noFiles: "There are no files in it.",
  tooMany: (most: number): string =>
    `There are more than ${count(most)} files in it. Choose a folder further down, or add it in parts.`,
  halfWay: (filed: number, all: number, open: number): string =>
    `${count(filed)} of ${count(all)} filed, ${count(open)} half-way`,
  halfWayWhy: "Drop the folder again, on any computer: what is there is not sent twice.",
} as const;

const NAMED = 5;

/** The first names, and how many more there are. */
const fewOf = (names: readonly string[]): string[] =>
  names.length <= NAMED + 1
    ? [...names]
    : [...names.slice(0, NAMED), `${count(names.length - NAMED)} others`];

export type Code = keyof typeof LEFT_OUT;

/** Why files are left out, as a list in brackets. */
const LEFT_OUT = {
  "index-reads": "index reads",
  undetermined: "undetermined reads",
  extension: "no reads",
  hidden: "hidden",
} as const;

const whyLeftOut = (codes: readonly string[]): string => {
  const known = codes.flatMap((code) => (code in LEFT_OUT ? LEFT_OUT[code as Code] : []));
  return known.length === 0 ? "" : ` (${known.join(", ")})`;
};

export interface PlanCounts {
  pairs: number;
  /** Files that go to a sample without the other mate. */
  single: number;
  alreadyFiled: number;
  leftOut: number;
  leftOutBecause: readonly string[];
  problems: number;
}

/** What becomes of chosen files, before any is sent. */
export const planText = {
  title: "Upload plan",
  start: "Start upload",
  reading: "Reading the folder",
  lookingAt: (done: number, all: number): string => `Looking at ${count(done)} of ${files(all)}`,
  counts: ({ pairs, single, alreadyFiled, leftOut, leftOutBecause, problems }: PlanCounts): string =>
    [
      `${counted(pairs, "pair", "pairs")} found`,
      single > 0 && counted(single, "single file", "single files"),
      alreadyFiled > 0 && `${files(alreadyFiled)} there already`,
      leftOut > 0 && `${files(leftOut)} left out${whyLeftOut(leftOutBecause)}`,
      problems > 0 && (problems === 1 ? "1 needs you" : `${count(problems)} need you`),
    ]
      .filter(Boolean)
      .join(", "),
  toSend: (left: number, all: number, free: number): string =>
    left === all
      ? `${size(left)} to send. The facility has room for ${size(free)}.`
      : `${size(left)} of ${size(all)} to send. The facility has room for ${size(free)}.`,
  noRoom: (left: number, free: number): string =>
    `The facility has room for ${size(free)}, and ${size(left)} are to be sent.`,
  nothing: "Nothing of it is to be sent.",
  notYet: "The plan is being made.",
  problemsStay: (number: number): string =>
    number === 1
      ? "1 file needs you. It is not sent."
      : `${count(number)} files need you. They are not sent.`,
  file: "File",
  sample: "Sample",
  mate: "Mate",
  reason: "Why",
  size: "Size",
  action: "Action",
  sampleOf: (file: string): string => `Sample of ${file}`,
  mateOf: (file: string): string => `Mate of ${file}`,
  none: "Choose a sample",
  leaveOut: "Leave out",
  leaveOutOf: (file: string): string => `Leave out ${file}`,
  take: "Take",
  takeOf: (file: string): string => `Take ${file}`,
  youLeftOut: "You left it out",
  filed: "There already, not sent again",
  continues: (received: number, all: number): string => `Goes on at ${size(received)} of ${size(all)}`,
  elsewhere: "Somebody else is sending it",
  joined: (place: number, all: number): string => `Lane ${place} of ${all}, joined in this order`,
  supersedes: (what: string): string => `Supersedes ${what}`,
  supersedeAll: (number: number): string =>
    number === 1
      ? "1 file supersedes reads that are in use."
      : `${count(number)} files supersede reads that are in use.`,
  delivered: (samples: readonly string[]): string =>
    `Take reads of ${list(fewOf(samples))} out of the published delivery`,
  deliveredFirst: "Reads of a published delivery would be superseded. Agree to it first, or leave them out.",
  joinLanes: "Join lanes in their order",
  joinLanesHelp: "A sample has one file for each mate.",
  dataClass: "Data class",
  classes: { "": "As the facility presets", raw: "Raw", cleaned: "Cleaned", unknown: "Unknown" },
  run: "Sequencing run",
  noRun: "Not said",
  search: "Search files",
  only: "Only files that need you",
  all: "All",
  plateHelp: "Drag a file to its sample, or choose the sample in the file's row.",
  plate: { done: "Pair", half: "One file", problem: "Needs you", waiting: "Nothing" },
  nothingFits: "No file fits",
} as const;

/** The dock: what is being sent, whatever the page shows. */
export const dockText = {
  title: "Uploads",
  summary: (filed: number, all: number, sent: number, bytes: number): string =>
    `${count(filed)} of ${files(all)}, ${size(sent)} of ${size(bytes)}`,
  rate: (perSecond: number): string => `${size(perSecond)}/s`,
  left: (seconds: number): string => `about ${duration(seconds)}`,
  isOver: (filed: number, all: number): string =>
    filed === all ? `${files(all)} filed` : `${count(filed)} of ${files(all)} filed`,
  trouble: (number: number): string => (number === 1 ? "1 stopped" : `${count(number)} stopped`),
  show: "Show files",
  hide: "Hide files",
  pauseAll: "Pause all",
  resumeAll: "Resume all",
  retryAll: "Retry all",
  removeAll: "Remove all",
  removeAllTitle: "Remove all uploads?",
  removeAllWhat: (number: number): string =>
    `${files(number)} that did not arrive whole are given up, with what the facility has of them. Files that are filed stay.`,
  clear: "Close",
  pause: (file: string): string => `Pause ${file}`,
  resume: (file: string): string => `Resume ${file}`,
  retry: (file: string): string => `Retry ${file}`,
  remove: (file: string): string => `Remove ${file}`,
  list: "Files",
  progressOf: (file: string): string => `Sent of ${file}`,
  more: (number: number): string => `${files(number)} more`,
  signedOut: "You are signed out. Nothing is sent until you sign in again.",
  signIn: "Sign in",
  interrupted: (order: string, number: number): string =>
    `The upload of ${files(number)} to ${order} was interrupted.`,
  goOn: "Go on",
  forget: "Forget it",
  notGoneOn: "The folder could not be read again. Drop it on the order's tab Reads.",
  offline: "No network. Sending goes on when it is back.",
  orderOf: (order: string): string => `To ${order}`,
} as const;

const WHY = {
  changed: "changed since it was chosen. Add it again when it is finished",
  unreadable: "missing locally: it was moved or deleted, or may not be read. Add it again",
  notJoinable: "a lane does not end its last line, so nothing can be joined to it",
  listDiffers: "the list beside it says another MD5. The file may be damaged here",
  bytesDiffer: "other bytes arrived than were sent. Retry sends it anew",
  cancelled: "somebody gave up this upload at the facility. Retry sends it anew",
  chunkTooLarge:
    "a chunk is larger than the facility takes. The setting is uploads.maxChunkBytes, or client_max_body_size of the proxy in front",
  fileTooLarge: "larger than the facility takes. The setting is uploads.maxFileBytes",
  diskFull:
    "the facility's disk is full. Free some room, or change the setting storage.minFreeBytes, then resume",
  said: "",
} as const;

export const stateText = {
  waiting: "waiting",
  hashing: "hashing",
  sending: "sending",
  verifying: "verifying",
  paused: "paused",
  elsewhere: "waiting: somebody else is sending it",
  filed: "filed",
  wasThere: "filed, was there already",
  broken: (seconds: number): string => `waiting: no answer, asks again in ${duration(Math.max(1, seconds))}`,
  refused: (why: keyof typeof WHY, words: string): string =>
    why === "unreadable" ? WHY.unreadable : `refused: ${WHY[why] || words}`,
} as const;
