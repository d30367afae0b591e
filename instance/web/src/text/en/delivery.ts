import { count, counted, size } from "../format";

const ROLES: Readonly<Record<string, string>> = {
  qc_report: "Quality report",
  multiqc_report: "MultiQC report",
  demux_stats: "Demultiplexing",
  sample_sheet: "Sample sheet",
  delivery_report: "Delivery report",
  attachment: "Attachment",
};

/** What is released of an order, and the ways to fetch it. */
export const deliveryText = {
  notReleased: "Nothing is released yet",
  notReleasedWhy: "Files appear here when the facility releases them. You get a notification.",
  nothingThere: "The release holds no files now",
  nothingToRelease: "Nothing to release yet",
  nothingToReleaseWhy: "Cleaned reads and files for the researcher appear here before they are released.",
  releasedSince: "Released",
  willBeSeen: (name: string): string => `${name} will see these files.`,
  seenBy: (name: string): string => `${name} sees these files.`,
  release: (files: number): string => `Release ${counted(files, "file", "files")}`,
  takeBack: "Take back",
  takenBack: "The release is taken back.",
  releaseOf: "Release",
  doubtful: (number: number, doubt: string): string =>
    `Look at ${counted(number, "file", "files")}: ${doubt}`,
  lookAt: "To look at before",
  heldBack: "Not released",
  allMd5: "Every file has its MD5.",
  someMd5: (known: number, all: number): string =>
    `MD5 of ${count(known)} of ${counted(all, "file", "files")} is known; the service computes the others.`,
  protectedReads: (number: number): string =>
    `Held back: ${counted(number, "raw read, protected", "raw reads, protected")}`,
  internal: (number: number): string => `Held back: ${counted(number, "internal file", "internal files")}`,
  missing: (number: number): string =>
    `Left out: ${counted(number, "file that is not on disk", "files that are not on disk")}`,
  filesAndSize: (files: number, bytes: number): string =>
    `${counted(files, "file", "files")}, ${size(bytes)}`,
  downloadAll: "Download all",
  downloadChosen: (files: number): string =>
    files === 0 ? "Download chosen files" : `Download ${counted(files, "file", "files")}`,
  checksums: "checksums.md5",
  manifest: "manifest.tsv",
  onACluster: "On a cluster",
  checkFolder: "Check a folder",
  reports: "Reports",
  samples: "Files by sample",
  others: "Other files",
  searchFiles: "Search files",
  file: "File",
  kind: "Kind",
  sizeOf: "Size",
  bytes: "Bytes",
  md5: "MD5",
  noMd5: "not computed yet",
  sample: "Sample",
  chosen: "Chosen",
  remark: "Remark",
  chooseAll: "Choose all",
  chooseFirst: "Choose files first.",
  fetch: "Fetch files",
  md5Of: (name: string): string => `MD5 of ${name}`,
  choose: (name: string): string => `Choose ${name}`,
  noneFound: "No file fits",
  doubt: {
    "checksum-differs": "MD5 differs from the one on record",
    "gzip-damaged": "gzip is damaged",
    "records-malformed": "records are malformed",
    "mates-out-of-step": "mates are out of step",
    "not-verified": "not verified yet",
    "no-md5": "no MD5 yet",
  },
  role: (role: string): string => ROLES[role] ?? role,
} as const;

export const clusterText = {
  title: "Fetch on a cluster",
  intro:
    "Run this line on the cluster. When it is cut, run the same line again: it goes on with what is missing.",
  afterACut: {
    curl: null,
    wget: null,
    aria2c: "aria2c notes once a minute how far it is. When it is killed, it fetches again what came since.",
    rclone: "rclone begins a file that was cut from its beginning.",
    "seqfacility-client": null,
  },
  signsIn: "This one asks for your password instead of using the address.",
  command: "Download command",
  check: "Check command",
  checkHelp: "Afterwards: compares every file with the list, and says OK to each.",
  copy: "Copy command",
  copied: "Copied",
  tool: "Tool",
  valid: (until: string): string =>
    `The address works until ${until}. Whoever has it can fetch these files, so treat it like a password.`,
  shownOnce: "It is shown this once.",
  days: "Valid for",
  daysOf: (days: number): string => counted(days, "day", "days"),
  make: "Make a new address",
  links: "Addresses",
  created: "Made",
  by: "By",
  expires: "Ends",
  used: "Last used",
  never: "never",
  ended: "ended",
  revoked: "revoked",
  revoke: "Revoke",
  revokeWhat: "Downloads with it end. It can't be brought back; another address can be made.",
  revokeOf: (made: string): string => `Revoke the address made ${made}`,
  state: "State",
} as const;

export const checkText = {
  title: "Check a folder",
  file: "File",
  result: "Result",
  intro:
    "Choose the folder into which the files were fetched. They are read here, in your browser, and compared with the list; nothing is sent.",
  chooseFolder: "Choose folder",
  again: "Choose another folder",
  stop: "Stop",
  stopped: (compared: number, all: number): string =>
    `Stopped: ${count(compared)} of ${counted(all, "file", "files")} compared.`,
  bytes: (done: number, all: number): string => `${size(done)} of ${size(all)}`,
  allOk: (files: number): string => `All ${counted(files, "file is", "files are")} as they were released.`,
  listedOk: (files: number): string =>
    `${counted(files, "file is as it was", "files are as they were")} released.`,
  unlisted: (files: number): string => `${counted(files, "file has", "files have")} no MD5 yet.`,
  notAll: (wrong: number): string => `${counted(wrong, "file is", "files are")} not as released.`,
  state: {
    waiting: "Waiting",
    reading: "Reading",
    ok: "OK",
    differs: "Differs: fetch it again",
    missing: "Not in the folder",
    unreadable: "Can't be read",
    elsewhere: "OK, under another name",
    skipped: "Not compared",
  },
  nothingListed: "No checksum is known yet. The service computes them; try again later.",
  noneFound: "None of the files is in this folder. Choose the folder that the download made.",
} as const;
