import { count, counted } from "../format";

const reads = (value: number): string => counted(value, "read", "reads");

/** What the facility decides of a run that is over. */
export const resultText = {
  decisions: "Decisions",
  select: "Select as result",
  withdraw: "Withdraw selection",
  selected: "This run is the result.",
  selectOf: (run: string): string => `Select ${run} as the result`,
  willShow: "The researcher sees this run and its reports at once.",
  willReplace: (run: string): string =>
    `It takes the place of ${run}, which the researcher does not see any more.`,
  isReleased: "The order is released: what the researcher fetches changes at once.",
  willHide: "The researcher does not see this run any more, and it leaves the delivery.",
  withdrawn: (run: string): string => `${run} is not the result any more.`,
  promote: (number: number): string => `Promote ${reads(number)}`,
  promoteTitle: (number: number, run: string): string => `Promote ${reads(number)} of ${run}`,
  promoteWhat:
    "The files are copied to the order and become the reads of their samples. Nothing is deleted: the reads before are kept as superseded.",
  promoteReleased:
    "The order is released. The promoted reads are delivered at once, and those that they supersede are not any more.",
  promoted: (number: number): string => `${counted(number, "read is", "reads are")} promoted.`,
  alreadyPromoted: (number: number): string =>
    `${counted(number, "read was", "reads were")} promoted before.`,
  nothingLeft: "There is nothing left to promote",
  nothingLeftWhy: "Every read that this run offers is promoted.",
  pairs: "Reads to promote",
  sample: "Sample",
  now: "Now",
  after: "Then",
  becomes: "The one before",
  noRead: "no read",
  kept: "Superseded, kept",
  keptRaw: "Superseded, kept and protected",
  nothingBefore: "nothing to supersede",
  release: "Release",
  more: (files: number): string => `and ${count(files)} more`,
} as const;
