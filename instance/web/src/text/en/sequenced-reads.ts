import { count, counted } from "../format";

const CLASSES = {
  raw: "raw reads, which are protected",
  cleaned: "cleaned reads",
  unknown: "unclassified reads, which are protected",
} as const;

/** The reads that a run made of a sequencing run, and filing them. */
export const sequencedText = {
  title: "Sequenced reads",
  table: "Samples of the run",
  what: "They become reads of the order when you file them. Until then no one else sees them.",
  sample: "Sample",
  state: "State",
  why: "What is wrong",
  files: (files: number): string => (files === 0 ? "none" : counted(files, "file", "files")),
  states: { open: "Not filed", queued: "Is being filed", failed: "Not filed, see why", filed: "Filed" },
  filing: "Filed reads",
  filed: (filed: number, asked: number): string =>
    `Reads of ${count(filed)} of ${counted(asked, "sample", "samples")} filed`,
  file: "File reads",
  nothingLeft: "No sample is left whose reads can be filed.",
  dialog: (run: string): string => `File the reads of ${run}`,
  dialogWhat: (dataClass: keyof typeof CLASSES): string =>
    `Lanes are joined and copied into the order with checksums, as ${CLASSES[dataClass]}. It can take hours and goes on without this page. Reads that a sample has now are kept, but no longer in use.`,
  leftOut: (samples: number): string =>
    `${counted(samples, "sample is", "samples are")} left out, because their reads can't be filed.`,
  change: (files: number, supersedes: boolean): string =>
    `${counted(files, "file", "files")}${supersedes ? ", in place of its present reads" : ""}`,
  fileN: (samples: number): string => `File reads of ${counted(samples, "sample", "samples")}`,
} as const;
