import { count, counted, duration, size } from "../format";
import { bases } from "./live";

const monthName = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" });
const monthShort = new Intl.DateTimeFormat("en-GB", { month: "short", timeZone: "UTC" });
const upToOneDigit = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 });

const UNKNOWN = "unknown";
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What is known of a sum, and of how many things nothing is, as parts of a list: an unknown sum is never 0. */
function known(value: number | null, unknown: string | null, format: (value: number) => string): string[] {
  if (value === null) return [UNKNOWN];
  return unknown === null ? [format(value)] : [format(value), `${unknown} ${UNKNOWN}`];
}

const unknownOf = (things: number, one: string, many: string): string | null =>
  things === 0 ? null : counted(things, one, many);

/** The numbers of a year. */
export const numbersText = {
  title: "Numbers",
  yearOf: (year: number): string => `Year ${year}`,
  countNow: "Count now",
  csv: "CSV",
  savesCsv: (year: number): string => `CSV of ${year}`,
  zone: "Months in UTC",
  nothing: (year: number): string => `Nothing in ${year}`,
  nothingWhy: "Figures begin with the month of the first order.",
  totals: (year: number): string => `${year} in all`,
  byMonth: "By month",
  month: "Month",
  monthOf: (month: string): string => monthName.format(new Date(`${month}-01`)),
  shortMonth: (number: number): string => monthShort.format(new Date(Date.UTC(2000, number - 1))),
  orders: "Orders",
  samples: "Samples",
  sampleReads: "Samples with reads",
  reads: "Reads",
  bases: "Bases",
  readsOf: (value: number | null, unknown: number): string[] =>
    known(value, unknownOf(unknown, "sample", "samples"), count),
  basesOf: (value: number | null, unknown: number): string[] =>
    known(value, unknownOf(unknown, "sample", "samples"), bases),
  roomOf: (value: number | null, unknown: number): string[] =>
    known(value, unknownOf(unknown, "file", "files"), size),
  ordersPlot: "Orders by month",
  basesPlot: "Bases by month",
  turnaroundPlot: "Submitted to delivered by month, median",
  noOrders: "No order was submitted.",
  noBases: "Nothing was sequenced.",
  basesUnknown: "The bases of what was sequenced are unknown.",
  turnaroundUnknown: "The turn-around of what was delivered is unknown.",
  /** Only whole numbers are named on an axis. */
  whole: (value: number): string => (Number.isInteger(value) ? count(value) : ""),
  basesAxis: bases,
  byPlatform: "By platform",
  platform: "Platform",
  noPlatform: "Not named",
  byDepartment: "By department",
  department: "Department",
  noDepartment: "No department",
  turnaround: "Turn-around",
  counted: "Counted when",
  from: "Interval",
  interval: {
    accepted: "Submitted to accepted",
    "samples-in": "Submitted to samples in",
    reads: "Samples in to first reads",
    delivered: "First reads to delivered",
    whole: "Submitted to delivered",
  },
  delivered: "Delivered orders",
  deliveredOf: (orders: number, unknown: number): string[] =>
    known(orders, unknown === 0 ? null : count(unknown), count),
  median: "Median",
  p90: "90th percentile",
  time: (seconds: number | null): string => (seconds === null ? UNKNOWN : duration(seconds)),
  noneDelivered: "No order was delivered.",
  /** As the marks of an axis say it, of which no two may be alike: `30 min`, `7 h 30 min`, `2.5 d`. */
  takes: (seconds: number): string => {
    if (seconds === 0) return "0";
    if (seconds < MINUTE) return `${upToOneDigit.format(seconds)} s`;
    if (seconds < HOUR) return `${upToOneDigit.format(seconds / MINUTE)} min`;
    return seconds < 2 * DAY ? duration(seconds) : `${upToOneDigit.format(seconds / DAY)} d`;
  },
  wholeMedian: "Median to delivery",
  runs: "Pipeline runs",
  pipeline: "Pipeline",
  outcome: {
    completed: "Completed",
    failed: "Failed",
    cancelled: "Cancelled",
    running: "Running",
    queued: "Queued",
    pending: "Waiting to start",
  },
  noRuns: "No run was created.",
  storage: "Storage",
  noFiles: "No file is stored.",
  byClass: "Storage by class",
  class: "Class",
  classes: {
    raw: "Raw reads",
    cleaned: "Cleaned reads",
    unknown: "Reads of unknown class",
    artifacts: "Reports and attachments",
    results: "Files of pipeline runs",
  },
  files: "Files",
  room: "Size",
  byOrder: "Orders with most storage",
  order: "Order",
  name: "Name",
  definitions: "What is counted",
  figure: {
    months: "Months",
    orders: "Orders",
    samples: "Samples",
    reads: "Reads and bases",
    turnaround: "Turn-around",
    runs: "Pipeline runs",
    storage: "Storage",
  },
} as const;
