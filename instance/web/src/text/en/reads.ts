import { count, counted, list, size } from "../format";

/** The reads of an order, as the facility works on them. */
export const readsText = {
  table: "Reads by sample",
  search: "Search samples",
  searchHint: "Name, code or tax id",
  none: "No samples yet",
  noneWhy: "Samples are added while the order is a draft.",
  noneFits: "No sample fits",
  firstPage: "Show the first page",
  onlySubmitted: "Reads can be added once the order is submitted.",
  summary: (all: { samples: number; withReads: number; paired: number; missingChecksums: number }): string =>
    [
      `${count(all.withReads)} of ${counted(all.samples, "sample has", "samples have")} reads`,
      `${counted(all.paired, "pair", "pairs")}`,
      ...(all.missingChecksums > 0 ? [`${count(all.missingChecksums)} without MD5`] : []),
    ].join(", "),
  isPublished: "This order is released: what is cleaned here is the researcher's at once.",
  link: "Link files on disk",
  linked: (samples: number): string => `Files are linked to ${counted(samples, "sample", "samples")}.`,
  sample: "Sample",
  code: "Code",
  R1: "R1",
  R2: "R2",
  size: "Size",
  bytes: "Bytes",
  reads: "Reads",
  quality: "Mean quality",
  check: "Check",
  md5: "MD5",
  dataClass: "Data class",
  delivered: "Delivered",
  superseded: "Earlier reads",
  source: "Came from",
  state: "State",
  anyMd5: "Any MD5",
  anyClass: "Any class",
  noReads: "no reads",
  verdict: { problem: "Problem", ok: "Intact", unchecked: "Not checked yet" },
  md5States: {
    none: "No MD5",
    given: "Given, not compared",
    computed: "Computed here",
    verified: "Verified",
    differs: "Differs",
  },
  classes: { raw: "Raw (protected)", cleaned: "Cleaned", unknown: "Unclassified (protected)" },
  sources: { upload: "Upload", link: "File on disk", pipeline: "Analysis", stream: "Live sequencing" },
  isDelivered: (is: boolean): string => (is ? "yes" : "no"),
  qualityOf: (value: number): string => `Q${value.toFixed(1)}`,
  earlier: (reads: number): string => (reads === 0 ? "–" : count(reads)),
  chosenColumn: "Chosen",
  chosenSamples: "Chosen samples",
  choose: (sample: string): string => `Choose ${sample}`,
  chooseShown: "Choose all shown",
  chooseAll: (samples: number): string => `Choose all ${count(samples)}`,
  chooseNone: "Choose none",
  chosen: (samples: number, files: number): string =>
    `${counted(samples, "sample", "samples")}, ${counted(files, "file", "files")}`,
  noFilesChosen: "The chosen samples have no files.",
} as const;

const reads = (number: number): string => counted(number, "read", "reads");
const files = (number: number): string => counted(number, "file", "files");

/** What is done with reads and files, one or many. */
export const workText = {
  state: "State",
  concerned: "What it is done with",
  is: { waiting: "waiting", running: "running", done: "done" },
  progress: "Progress",
  stop: "Stop",
  doneOf: (done: number, all: number): string => `${count(done)} of ${count(all)} done`,
  over: (done: number, refused: number, all: number): string =>
    [
      `${count(done)} of ${count(all)} done`,
      ...(refused > 0 ? [`${count(refused)} refused`] : []),
      ...(done + refused < all ? [`${count(all - done - refused)} not begun`] : []),
    ].join(", "),
  typeToConfirm: (name: string): string => `Type ${name} to confirm`,
  typeFirst: "Type the number of the order first.",
  files: "Files",
  file: "File",
  delivered: "Delivered",
  isDelivered: (is: boolean): string => (is ? "yes" : "no"),
  note: "Note",
  noteHelp: "Kept in the history of the sample.",
  losesReads: (number: number): string =>
    `The researcher has ${counted(number, "of these reads", "of these reads")} now, and loses ${number === 1 ? "it" : "them"} at once.`,
  losesFiles: (number: number): string =>
    `The researcher has ${count(number)} of these files now, and loses ${number === 1 ? "it" : "them"} at once.`,
  getsReads: (number: number): string =>
    `The order is released: the researcher gets ${reads(number)} at once.`,
  classTitle: (number: number): string => `Change the data class of ${reads(number)}`,
  classVerb: "Change data class",
  chooseClass: "Choose a data class first.",
  classMeans: {
    raw: "As they came from the instrument. Researchers never get them.",
    cleaned: "Host and human reads are removed. They are delivered once the order is released.",
    unknown: "Nobody has said. Researchers never get them.",
  },
  classDone: (number: number): string => `The data class of ${reads(number)} is changed.`,
  md5Title: (number: number): string => `Compute the MD5 of ${files(number)}`,
  md5Verb: "Compute MD5",
  md5What: (bytes: number): string =>
    `${size(bytes)} are read from disk. A given MD5 is compared with the computed one, which takes its place.`,
  goesOn: "This file takes long. The service goes on; its MD5 appears here once it is computed.",
  md5Done: (number: number): string => `The MD5 of ${files(number)} is computed.`,
  removeTitle: (number: number): string => `Remove ${reads(number)} from use`,
  removeVerb: "Remove from use",
  removeWhat:
    "The samples have no reads afterwards. The files stay on disk, and can be linked again. What was counted and checked is forgotten.",
  removeDone: (number: number): string => `${reads(number)} ${number === 1 ? "is" : "are"} no longer in use.`,
  deleteTitle: (number: number): string => `Delete ${files(number)}`,
  deleteVerb: (number: number): string => (number === 0 ? "Delete files" : `Delete ${files(number)}`),
  deleteWhat: (number: number, bytes: number, order: string): string =>
    `${counted(number, "file", "files")} (${size(bytes)}) of ${order} ${number === 1 ? "is" : "are"} deleted from disk for good. No earlier read comes back into use.`,
  deleteDone: (number: number): string => `${files(number)} ${number === 1 ? "is" : "are"} deleted.`,
} as const;

interface Person {
  firstName: string;
  lastName: string;
}

const nameOf = (person: Person | null): string =>
  person === null ? "" : ` by ${person.firstName} ${person.lastName}`;

/** The reads that a sample has and had. */
export const drawerText = {
  title: (sample: string): string => `Reads of ${sample}`,
  none: "No reads yet",
  noneWhy: "Upload files, link files on disk, or collect them from live sequencing.",
  readOf: (created: string): string => `Read of ${created}`,
  inUse: "In use",
  superseded: "Superseded",
  delivered: "Delivered",
  noFiles: "Its files were removed from use.",
  gone: "Not on disk",
  sequencingRun: "run",
  reads: (number: string): string => `${number} reads`,
  md5Of: (file: string): string => `MD5 of ${file}`,
  origin: (source: "upload" | "link" | "pipeline" | "stream", by: Person | null): string =>
    ({
      upload: `Uploaded${nameOf(by)}`,
      link: `Linked on disk${nameOf(by)}`,
      pipeline: "Made by the analysis",
      stream: "Collected from live sequencing",
    })[source],
  change: ({
    action,
    by,
    from,
    to,
    cleared,
  }: {
    action: "read-linked" | "data-class-changed" | "read-changed";
    by: Person | null;
    from: "raw" | "cleaned" | "unknown" | null;
    to: "raw" | "cleaned" | "unknown" | null;
    cleared: readonly ("file1" | "file2" | "checksum1" | "checksum2")[];
  }): string => {
    if (action === "read-linked") return `Linked${nameOf(by)}`;
    if (action === "data-class-changed" && from && to)
      return `${readsText.classes[from]} became ${readsText.classes[to]}${nameOf(by)}`;
    return `${list(cleared.map((what) => CLEARED[what]))} removed${nameOf(by)}`;
  },
  found: ({
    gzipIntact,
    recordShape,
    matesInStep,
  }: {
    gzipIntact: boolean | null;
    recordShape: boolean | null;
    matesInStep: boolean | null;
  }): string =>
    [
      gzipIntact && "gzip is whole",
      recordShape && "records are well formed",
      matesInStep && "mates are in step",
    ]
      .filter(Boolean)
      .join(", ") || "Nothing was found",
} as const;

const CLEARED = {
  file1: "R1",
  file2: "R2",
  checksum1: "MD5 of R1",
  checksum2: "MD5 of R2",
} as const;

/** Linking files that lie on disk already. */
export const linkText = {
  title: "Link files on disk",
  how: "Files below the data folder become the reads of samples where they lie; nothing is copied. Their names say which sample they are of.",
  folder: "Folder",
  dataFolder: "Data folder",
  folders: "Folders",
  below: "Also files in the folders below",
  files: (number: number): string =>
    number === 0 ? "No read files in this folder." : `${counted(number, "read file", "read files")} found.`,
  hasMore: "There are more than are listed: open a folder further down.",
  table: "Files to link",
  isIn: "Link",
  file: "File",
  mate: "Mate",
  why: "Why",
  linkOf: (file: string): string => `Link ${file}`,
  sampleOf: (file: string): string => `Sample of ${file}`,
  mateOf: (file: string): string => `Mate of ${file}`,
  usedBy: (sample: string, order: string): string => `Is a file of ${sample} in ${order} already`,
  leftOut: "Left out",
  lanes: "Lanes can't be linked as one file: upload them, and they are joined",
  verb: (samples: number): string =>
    samples === 0 ? "Link files" : `Link files to ${counted(samples, "sample", "samples")}`,
  nothingYet: "No file belongs to a sample yet.",
  fixFirst: (number: number): string =>
    `${counted(number, "file needs", "files need")} a sample first, or ${number === 1 ? "is" : "are"} left out.`,
  withoutR1: (sample: string): string => `${sample} has an R2 without its R1.`,
  supersedes: (samples: number, delivered: number): string =>
    `${counted(samples, "file takes", "files take")} the place of reads that samples have.${
      delivered > 0 ? " The researcher has some of them now, and loses them at once." : ""
    }`,
  refused: (number: number): string =>
    `Nothing was linked: ${counted(number, "file is", "files are")} refused, see ${number === 1 ? "its row" : "their rows"}.`,
} as const;

/** The files of an order that are no reads. */
export const artifactText = {
  title: "Other files",
  none: "No reports, sample sheets or attachments were added.",
  file: "File",
  kind: "Kind",
  whose: "Of",
  ofOrder: "the order",
  seenBy: "Seen by",
  added: "Added",
  by: ({ firstName, lastName }: Person): string => ` by ${firstName} ${lastName}`,
  actions: "Actions",
  open: "Open",
  stage: "Stage",
  openOf: (file: string): string => `Open ${file}`,
  changeOf: (file: string): string => `Change ${file}`,
  deleteOf: (file: string): string => `Delete ${file}`,
  md5Of: (file: string): string => `MD5 of ${file}`,
  changed: (file: string): string => `${file} is changed.`,
  visibilities: { facility: "The facility only", customer: "The researcher, once released" },
  kinds: {
    qc_report: "Quality report",
    multiqc_report: "MultiQC report",
    demux_stats: "Demultiplexing statistics",
    sample_sheet: "Sample sheet",
    delivery_report: "Delivery report",
    attachment: "Attachment",
  },
  stages: {
    sample_receipt: "Sample receipt",
    sequencing: "Sequencing",
    raw_reads: "Raw reads",
    qc: "Quality control",
    delivery: "Delivery",
  },
  leavesRelease: "The researcher has this file now, and loses it at once.",
  joinsRelease: "The order is released: the researcher gets this file at once.",
} as const;
