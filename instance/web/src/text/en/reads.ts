import { count } from "../format";

/** The reads of an order, as the facility works on them. */
export const readsText = {
  table: "Reads by sample",
  search: "Search samples",
  searchHint: "Name, code or tax id",
  none: "No samples yet",
  noneWhy: "Samples are added while the order is a draft.",
  noneFits: "No sample fits",
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
  superseded: "Earlier reads",
  noReads: "no reads",
  verdict: { problem: "Problem", ok: "Intact", unchecked: "Not checked yet" },
  qualityOf: (value: number): string => `Q${value.toFixed(1)}`,
  earlier: (reads: number): string => (reads === 0 ? "–" : count(reads)),
} as const;
