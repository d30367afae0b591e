import type { components } from "../../api/schema";
import { count } from "../format";

type Step = components["schemas"]["instance.first-hour"]["steps"][number];

/** What a new facility needs, and how each of it is done from the page. */
export const firstHourText = {
  title: "First hour",
  why: "What a facility needs before its first order. Each step shows what was found just now, and does what is missing or links to it.",
  progress: (done: number, all: number): string => `${count(done)} of ${count(all)} done`,
  over: "Everything that is needed is done. Orders can come.",
  about: "What a new facility needs before its first order, and what of it is done",
  steps: {
    STORAGE: "Choose where data is stored",
    CATALOG: "Fetch the catalog",
    PIPELINE: "Enable a first pipeline",
    RUNS: "See that runs can start",
    MAIL: "Try the mail",
    BACKUP: "Make a backup",
    PEOPLE: "Let the first people in",
    FORM: "Look at the order form",
  } satisfies Record<Step["id"], string>,
  states: { ok: "Done", warn: "To do", fail: "Problem", unknown: "Not known yet" } satisfies Record<
    Step["state"],
    string
  >,
  optional: "optional",
  putAway: "Put away",
  putAwayWhat: "It disappears from the start page of every admin. Help links to it.",
  isPutAway: "It no longer stands on the start page.",
  bringBack: "Show on Today",
  allSteps: "On a page of its own",
  lookAgain: "Look again",
  lookAgainAt: (step: string): string => `Look again: ${step}`,

  chooseFolder: "Choose data folder",
  folder: "Data folder",
  folderHelp:
    "The absolute path of an existing folder on this server that the service can write to. Reads, results and uploads are stored there.",
  saveFolder: "Check and save",

  fetchCatalog: "Fetch catalog",
  useShipped: "Use the included catalog",

  enablePipeline: "Enable a pipeline",
  pipeline: "Pipeline",
  pipelineHelp: "These are installed. Each can be switched off again.",
  enable: "Enable",
  chooseFirst: "Choose a pipeline first.",
  noneLeft: "Every installed pipeline is enabled.",
  readiness: "What it needs",
  verdicts: { ok: "ok", warn: "look", fail: "missing" },

  askNow: "Ask now",
  sendTest: "Send a test mail",
  sent: (to: string, said: string): string => `A mail went to ${to}. The server answered: ${said}`,
  backupCommand: "command",
  registerAddress: "address for researchers",
  inviteColleague: "Invite a colleague",
  people: "People",
  seeForm: "See it as a researcher",
  more: "Catalog",
  allPipelines: "All pipelines",
  settings: "Settings",
  editForm: "Change the form",
} as const;
