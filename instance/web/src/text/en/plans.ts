import { count, counted } from "../format";

const rows = (value: number): string => counted(value, "row", "rows");
const samples = (value: number): string => counted(value, "sample", "samples");

/** Sequencing runs of an order: their plans, the places of samples in them, and sample sheets. */
export const plansText = {
  plans: "Plans of runs",
  runs: "Sequencing runs",
  importPlan: "Import plan",
  newRun: "New run",
  template: "Template",
  none: "No sequencing runs yet",
  noneWhy:
    "A run says which sample is sequenced with which barcode. Drop an Excel file anywhere here, or enter a run.",
  noSamples: "This order has no samples",
  noSamplesWhy: "Samples can be placed in a run once the order has some.",
  dropHere: "Drop an Excel file (.xlsx) here to look at its plan",
  dropNow: "Drop it to look at the plan",
  notExcel: "That is no Excel file. A plan is an .xlsx file.",
  run: "Run",
  instrument: "Instrument",
  flowCell: "Flow cell",
  date: "Date",
  samplesIn: "Samples",
  reads: "Reads",
  changed: "Changed",
  by: (name: string): string => `by ${name}`,
  actions: (run: string): string => `Actions of ${run}`,
  edit: "Edit run",
  editOf: (run: string): string => `Edit ${run}`,
  exportRun: "Export as Excel",
  deleteRun: "Delete run",
  deleteOf: (run: string): string => `Delete ${run}?`,
  deleteWhat: (number: number): string =>
    number === 0
      ? "The run is deleted. This can't be undone."
      : `The run and the places of ${samples(number)} in it are deleted. The samples stay. This can't be undone.`,
  hasReads: "Reads came from this run, so it stays.",
} as const;

/** `Grace Hopper changed this run 2 minutes ago.` */
export const whoText = (when: string, name: string): string =>
  name === "" ? `This run was changed ${when}.` : `${name} changed this run ${when}.`;

/** The dialog in which a run is entered or changed. */
export const runText = {
  newTitle: "New run",
  editTitle: (run: string): string => `Edit ${run}`,
  create: "Create run",
  save: "Save run",
  details: "Details",
  sheets: { minknow: "MinKNOW sample sheet", illumina: "Illumina sample sheet" },
  labels: {
    runId: "Run ID",
    runName: "Name",
    instrument: "Instrument",
    platform: "Platform",
    runDate: "Date",
    folderPath: "Folder of the run",
    notes: "Notes",
    "runParameters.barcodeSetId": "Barcode set",
    "runParameters.kit": "Kit",
    "runParameters.flow_cell_id": "Flow cell ID",
    "runParameters.position_id": "Position",
    "runParameters.flow_cell_product_code": "Flow cell product code",
    "runParameters.experiment_id": "Experiment ID",
    "runParameters.sample_id": "Library ID",
    "runParameters.Read1Cycles": "Read 1 cycles",
    "runParameters.Read2Cycles": "Read 2 cycles",
    "runParameters.Index1Cycles": "Index 1 cycles",
    "runParameters.Index2Cycles": "Index 2 cycles",
    "runParameters.OverrideCycles": "Override cycles",
    "runParameters.IndexOrientation": "Orientation of index 2",
    "runParameters.SoftwareVersion": "BCL Convert version",
    "runParameters.AdapterRead1": "Adapter of read 1",
    "runParameters.AdapterRead2": "Adapter of read 2",
    "runParameters.BarcodeMismatchesIndex1": "Mismatches in index 1",
    "runParameters.BarcodeMismatchesIndex2": "Mismatches in index 2",
  } as Readonly<Record<string, string>>,
  help: {
    runId: "What the facility calls it. Used once in an order.",
    instrument: "Its name tells how many colours it has.",
    "runParameters.barcodeSetId": "Offered in the barcode column. Without one, the kit's set.",
    "runParameters.kit": "As MinKNOW calls it, SQK-NBD114-24 for example.",
    "runParameters.flow_cell_id": "This, or a position.",
    "runParameters.Read1Cycles": "Needed for a sample sheet.",
    "runParameters.Index1Cycles": "Without it, the length of the longest index.",
  } as Readonly<Record<string, string>>,
  ofKit: "The kit's own",
  asWritten: "Not said",
  orientations: { Forward: "Forward", ReverseComplement: "Reverse complement" } as Readonly<
    Record<string, string>
  >,
  stale: (told: string): string =>
    `${told} What you left alone is taken over. What you both changed stands here:`,
  theirs: (label: string, value: string): string =>
    `${label} is now ${value === "" ? "empty" : `“${value}”`}.`,
  useTheirs: (label: string): string => `Take it for ${label}`,
} as const;

/** What a plan in a file says, before it is stored. */
export const importText = {
  title: "Import plan",
  choose: "Choose an Excel file",
  chooseAnother: "Choose another file",
  help: "Nothing is stored before you have seen it. Each row names a run, a sample and a barcode.",
  sheet: (file: string, sheet: string, number: number): string =>
    `${file}: sheet “${sheet}”, ${rows(number)}`,
  columns: "Columns",
  mapped: (labels: readonly string[]): string => `Read: ${labels.join(", ")}`,
  unmapped: (labels: readonly string[]): string => `Not stored: ${labels.join(", ")}`,
  problems: (number: number): string => `${counted(number, "problem", "problems")} to solve in the file`,
  warnings: (number: number): string => counted(number, "warning", "warnings"),
  ready: "Nothing is wrong with it",
  noRows: "The sheet has no rows below its header.",
  apply: (number: number): string => `Apply ${rows(number)}`,
  applied: (parts: readonly string[]): string => `Stored: ${parts.join(", ")}.`,
  appliedPart: (run: string, number: number): string => `${samples(number)} in ${run}`,
  rows: "Rows as they will be stored",
  row: "Row",
  rowNumber: (number: number): string => `Row ${count(number)}`,
  run: "Run",
  sample: "Sample",
  barcode: "Barcode",
  problem: "Remark",
  onlyProblems: (number: number): string => `Only ${rows(number)} with a remark`,
  duplicates: "Barcodes that are used twice",
  duplicate: (barcode: string, run: string): string => `${barcode} in ${run}`,
  ofRun: (run: string, words: string): string => `${run}: ${words}`,
  storedToo: "one that is stored already",
  notFound: (nearest: readonly string[]): string =>
    nearest.length === 0
      ? "No sample of this order is called so"
      : `No sample of this order is called so. Nearest: ${nearest.join(", ")}`,
  twice: (barcode: string, number: number): string => `${barcode} stands ${count(number)} times in this run`,
  fields: {
    material_body_site: "Material",
    sampling_date: "Sampling date",
    concentration_ng_ul: "DNA ng/µl",
    storage_box: "Storage box",
    storage_position: "Storage position",
    storage_buffer: "Buffer",
  } as Readonly<Record<string, string>>,
} as const;

/** The places of samples in one run. */
export const placesText = {
  title: (run: string): string => `Samples in ${run}`,
  grid: (run: string): string => `Samples in ${run}`,
  save: "Save places",
  saved: "Saved",
  unsaved: (number: number): string => `${samples(number)} changed, not saved`,
  nothingToSave: "Nothing is changed",
  discard: "Discard changes",
  labels: {
    sample: "Sample",
    placed: "In run",
    barcode: "Barcode",
    alias: "Alias",
    type: "Type",
    Index: "i7 index",
    Index2: "i5 index",
    Lane: "Lane",
    Sample_Project: "Project",
    concentration_ng_ul: "DNA ng/µl",
    notes: "Notes",
    check: "Barcode check",
  },
  help: {
    barcode: "A barcode of the kit, or bases",
    placed: "yes where the sample is in the run; whatever else is filled in says it, too",
  },
  disputes: (told: string): string => `${told} These cells were changed by both of you:`,
  bothTexts: (mine: string, theirs: string): string =>
    `Yours: ${mine === "" ? "empty" : mine}. Theirs: ${theirs === "" ? "empty" : theirs}.`,
  takeTheirs: "Take theirs",
  keepMine: "Keep mine",
  of: (sample: string, column: string): string => `${column} of ${sample}`,
  more: (number: number): string => `And ${count(number)} more`,
  checking: "Barcode check",
  levels: { error: "Error", warning: "Warning" },
  errors: (number: number): string => counted(number, "error", "errors"),
  warnings: (number: number): string => counted(number, "warning", "warnings"),
  inLane: (lane: string): string => `lane ${lane}`,
  decideFirst: "Decide first what is to stay",
  fine: "All barcodes can be told apart.",
  withoutSequence: (names: readonly string[]): string =>
    `The bases of ${names.length <= 3 ? names.join(", ") : counted(names.length, "barcode", "barcodes")} are not known here: equal names are found, similar sequences are not.`,
  pairs: "Too much alike",
  first: "Sample",
  second: "And",
  level: "Level",
  why: "Why",
  near: (other: string, message: string): string => `${other}: ${message}`,
  dark: (lane: string | null, message: string): string =>
    lane === null ? message : `Lane ${lane}, ${message}`,
  darkTitle: "Cycles without a signal",
  morePairs: (number: number): string => `And ${counted(number, "more pair", "more pairs")}`,
} as const;

/** The sample sheet of one run. */
export const sheetText = {
  title: "Sample sheet",
  format: "Format",
  formats: { illumina: "Illumina, version 2", minknow: "MinKNOW" },
  text: "Text of the sample sheet",
  copy: "Copy",
  copied: "Copied",
  download: "Download sample sheet",
  incomplete: "The instrument would refuse it",
  incompleteWhy: "What is missing, before it can be written:",
  unsaved: "Made of what is saved, without your changes above.",
  place: (sample: string, column: string): string => `${sample}, ${column}`,
} as const;
