import { clock, count, counted, exactTime, size } from "../format";

const BASE_UNITS = ["kb", "Mb", "Gb", "Tb"] as const;
const digits = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 3 });

/** Bases as the field writes them: `840 b`, `1.25 Mb`, `41 Gb`. */
export function bases(value: number): string {
  if (value < 1000) return `${count(value)} b`;
  let shown = value / 1000;
  let step = 0;
  while (shown >= 999.5 && step < BASE_UNITS.length - 1) {
    shown /= 1000;
    step += 1;
  }
  return `${digits.format(shown)} ${BASE_UNITS[step]}`;
}

/** A mean quality: `Q14.2`. */
export const quality = (value: number | null): string => (value === null ? "–" : `Q${value.toFixed(1)}`);

/** A read's length, in bases. */
export const length = (value: number | null): string => (value === null ? "–" : bases(value));

/** A part of a whole: `8.3 %`. */
export const share = (part: number): string => `${digits.format(100 * part)} %`;

const at = (time: string): string => clock(new Date(time));

/** What is said of a stream, on its order's page and in the list of all. */
export const streamText = {
  title: "Live",
  state: { ACTIVE: "Watching", STOPPING: "Stopping", STOPPED: "Stopped" },
  stalled: "No new files",
  vanished: "Folder out of reach",
  finished: "Instrument has finished",
  bases: "Bases",
  reads: "Reads",
  pace: "Pace",
  paceOf: (perMinute: number): string => `${bases(perMinute)}/min`,
  lastFile: "Last file",
  noFile: "none yet",
  device: "Position",
  flowCell: "Flow cell",
  recent: (name: string, perStretch: readonly number[]): string =>
    `${name}: bases in the last hour, every five minutes: ${perStretch.map(bases).join(", ")}`,
} as const;

/** Every running stream. */
export const streamsText = {
  title: "Live",
  none: "Nothing is streamed now",
  noneWhy: "A stream begins on the page of its order: tab Live, Start watching.",
  orders: "See the orders",
  list: "Streams",
  samples: (withReads: number, all: number): string =>
    all === 0
      ? "No samples mapped"
      : `${count(withReads)} of ${counted(all, "sample has", "samples have")} reads`,
  plate: { moving: "With reads", waiting: "Without" },
} as const;

/** The tab of an order. */
export const liveText = {
  start: "Start watching",
  stop: "Stop",
  collect: "Collect reads",
  pause: "Pause view",
  goOn: "Go on",
  paused: (since: string): string => `This view stands still since ${at(since)}. The stream goes on.`,
  stopFirst: "Reads are collected once the stream has stopped.",
  nothingToCollect: "No sample has reads that are not collected.",
  alreadyStopping: "The monitor is stopping it.",
  none: "No stream yet",
  noneWhy:
    "While an instrument writes its reads, their folder is watched: yield, length and quality are seen as they come, sample by sample.",
  which: "Stream",
  streamOf: (folder: string, since: string): string => `${folder}, since ${exactTime(new Date(since))}`,
  figures: "Figures",
  files: "Files",
  n50: "N50",
  meanQuality: "Mean quality",
  watcher: "Watched folder",
  since: (time: string): string => `Watching since ${at(time)}.`,
  stopping: "Stopping: what is written until now is still counted.",
  stopped: (time: string): string => `Stopped at ${at(time)}.`,
  silent: (time: string): string =>
    `The folder was last looked at ${at(time)}. If this does not change, the monitor of streams is not running.`,
  stalledSince: (last: string, told: string): string =>
    `No new file since ${at(last)}, noticed at ${at(told)}. Look at the instrument; the stream goes on when files come.`,
  stalledNever: (told: string): string =>
    `No file has come yet, noticed at ${at(told)}. Is it the right folder?`,
  finishedSince: (told: string): string =>
    `The instrument has written at ${at(told)} that its run has ended. Stop watching, then collect the reads.`,
  vanishedSince: (told: string): string =>
    `The folder can't be reached since ${at(told)}. What was counted stays; counting goes on when it is back.`,
  verified: {
    ok: (listed: number): string =>
      `All ${counted(listed, "file", "files")} on the instrument's list are here, unchanged.`,
    incomplete: (matched: number, listed: number): string =>
      `${count(matched)} of ${counted(listed, "file", "files")} on the instrument's list are here.`,
    different: (files: number): string =>
      `${counted(files, "file differs", "files differ")} from the instrument's list of checksums.`,
  },
  yield: "Yield over time",
  byBarcode: "Bases by barcode",
  lengths: "Read length",
  qualities: "Quality",
  asTable: "As a table",
  cumulative: "All so far",
  perMinute: "Per minute",
  time: "Time",
  from: "From",
  expected: (part: number): string => `Expected for each sample: ${share(part)}`,
  shareOfAll: "Share",
  noReads: "No reads yet.",
  barcodes: "Barcodes",
  barcode: "Barcode",
  sample: "Sample",
  lastHour: "Last hour",
  meanLength: "Mean length",
  noSample: "no sample",
  unknown: "Barcodes without a sample",
  unknownWhy: "Their reads are counted, and collected for nobody until they have a sample.",
  unclassified: "not assigned by the instrument",
  assign: "Assign",
  assignWho: (barcode: string): string => `Assign ${barcode}`,
  assignTitle: (barcode: string): string => `Assign ${barcode} to a sample`,
  assignTo: (sample: string): string => `Assign to ${sample}`,
  chooseSample: "Choose a sample first.",
  findSample: "Find a sample",
  assignWhat: "Reads that came already count for this sample, too.",
  events: "Events",
  newer: (events: number): string => `${counted(events, "newer event", "newer events")}: show`,
  folder: "Folder",
  findFolder: "Find a folder",
  folders: (shown: number, all: number): string => `${count(shown)} of ${counted(all, "folder", "folders")}`,
  noFolders: "There is no folder below the output root yet.",
  noFolderFits: "No folder has this in its name.",
  moreFolders: "There are more folders than are listed. Find yours by its name, or move old ones away.",
  watchedFor: (order: string): string => `watched for ${order}`,
  hasOutput: "has reads",
  startHow: "Files count as soon as they are whole. Nothing in the folder is changed.",
  map: (barcodes: number): string => `${counted(barcodes, "barcode", "barcodes")} of the run plan`,
  noMap: "No run plan names barcodes. They can be assigned to samples while reads come.",
  watchFolder: "Watch this folder",
  chooseFolder: "Choose a folder first.",
  collectTitle: "Collect reads",
  collectWhat:
    "For each sample its files become one gzip FASTQ, and a raw read of the sample. The instrument's files stay as they are.",
  collectN: (reads: number): string => `Collect ${counted(reads, "read", "reads")}`,
  collecting: "Collected reads",
  collected: (made: number, all: number): string => `${count(made)} of ${counted(all, "read", "reads")} made`,
  collectState: {
    ready: "Not collected",
    empty: "No reads",
    queued: "Being made",
    made: "Made",
    failed: "Failed",
  },
  of: (files: number, bytes: number): string => `${counted(files, "file", "files")}, ${size(bytes)}`,
} as const;

/** What happened, one sentence an event. */
export const eventText = {
  RUN_STARTED: (folder: string): string => `Watching ${folder}`,
  RUN_STOP_REQUESTED: (who: string): string => `${who} stopped it`,
  RUN_STOPPED: (files: number, reads: number): string =>
    `Stopped with ${counted(files, "file", "files")} and ${counted(reads, "read", "reads")}`,
  FILE_INGESTED: (barcode: string, reads: number, of: number): string =>
    `${barcode}: ${counted(reads, "read", "reads")}, ${bases(of)}`,
  malformed: (path: string): string => `No FASTQ: ${path}`,
  unnamed: "Without a barcode",
  BARCODE_MAP_WARNING: (samples: string): string =>
    `The map names samples that the order does not have: ${samples}`,
  BARCODE_MAP_CHANGED: (barcodes: number): string => `New map of ${counted(barcodes, "barcode", "barcodes")}`,
  BARCODE_UNMAPPED: (barcode: string): string => `${barcode} belongs to no sample`,
  RUN_STALLED: (minutes: number): string => `No new file for ${counted(minutes, "minute", "minutes")}`,
  RUN_FINISHED_HINT: "The instrument has finished",
  READ_CREATED: (sample: string): string => `The read of ${sample} is made`,
} as const;
