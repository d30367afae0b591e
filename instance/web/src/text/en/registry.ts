import type { components } from "../../api/schema";
import { count, counted, list } from "../format";

type Trust = components["schemas"]["instance.registry-trust"];
type Policy = Trust["policy"];
type Kind = Trust["refusals"][number]["kind"];
type State = Trust["registries"][number]["roles"][number]["state"];

const POLICIES = { required: "Required", warn: "Warn", off: "Off" } satisfies Record<Policy, string>;

/** The roles that every registry has; any other one is a publisher. */
const ROLES: Readonly<Record<string, string>> = {
  root: "Root",
  timestamp: "Timestamp",
  snapshot: "Snapshot",
  targets: "Documents",
};

const MEANINGS: Readonly<Record<string, string>> = {
  root: "Names the keys of all others",
  timestamp: "Says which snapshot is the newest",
  snapshot: "Says which files belong together",
  targets: "Pipelines, catalog and checklists of the release",
};

/** Whether the registry is believed, and what it says against what is installed. */
export const registryText = {
  title: "Registry",
  address: "address",
  look: "Look now",
  lookedAt: (time: string): string => `Looked at ${time}`,
  lookedGood: "The registry answers, and everything is signed as it must be.",
  lookedOff: "The registry answers. Signatures are not looked at.",
  lookedWarnings: "This was read without a valid signature:",
  lookedRefused: (error: string): string => `The registry could not be read: ${error}`,
  state: "State",
  verified: "Verified",
  lastVerified: "Last verified",
  notAsked: "Signatures are not looked at",
  notAskedWhy: "What this facility takes from the registry is as safe as the way to it.",
  notYet: "Nothing was verified yet",
  notYetWhy: "Signatures are checked whenever something is read from the registry. Look now to begin.",
  refused: "Nothing is taken from it. Installed pipelines keep working.",
  readOn: "It was read all the same, as the policy is to warn.",
  refusedAt: "Last refused",
  refusedBefore: "Refused before, and verified since:",
  refusedElsewhere: "Another address was refused:",
  details: "Where and why",
  toDo: {
    signature:
      "Files are missing or were changed, or others signed them. Ask whoever runs the registry or mirror, or take another mirror.",
    older: "The mirror has gone back to an older state. Ask whoever runs it, or take another mirror.",
    expired:
      "The registry or mirror stands still, or the clock of this server is ahead. Look at the clock first, then ask whoever runs it.",
    clock: "The clock of this server is behind. Set it, by NTP for example.",
  } satisfies Record<Kind, string>,
  toDoWithoutRoot: "No root is pinned, so nothing can be verified. Pin one, or choose another policy.",
  endsSoon: (ends: readonly string[]): string => `Signatures end soon: ${list(ends)}`,
  endsSoonWhy:
    "Whoever runs the registry has to sign anew. Until then everything works; afterwards nothing is taken from it.",
  over: (ends: readonly string[]): string => `What was seen last is over: ${list(ends)}`,
  overWhy: "Look now. A registry that is looked after has signed anew meanwhile.",
  endOf: (role: string, day: string): string => `${role} (${day})`,

  policy: "Policy",
  policyWhy: "What is asked of the signatures of a registry and of all its mirrors.",
  policies: POLICIES,
  policyMeanings: {
    required: "Only what the holders of the registry's keys have signed is read. Everything else is refused.",
    warn: "Signatures are checked, and what fails is read all the same. Answers and the audit trail say so.",
    off: "No signature is looked at. Whoever controls the way to the registry decides what is installed.",
  } satisfies Record<Policy, string>,
  inForce: "In force",
  byDefault: "by default",
  change: "Change policy",
  changeTitle: "What is asked of signatures",
  changeWhat: "It holds at once, for everybody, and the audit trail keeps who decided it.",
  leave: "By default",
  leaveMeaning: "Required where a root is pinned or something was verified before, else off.",
  verbs: {
    required: "Require signatures",
    warn: "Warn and read on",
    off: "Switch signatures off",
    leave: "Leave it to the root",
  } satisfies Record<Policy | "leave", string>,
  isSo: "It is so already.",

  pollDaily: "Asking the registry once a day:",
  on: "On",
  off: "Off",
  switchOn: "Switch on",
  switchOff: "Switch off",
  startPolls: "Switch on: asking the registry once a day",
  stopPolls: "Switch off: asking the registry once a day",
  pollDailyWhy:
    "What was withdrawn and which advisories there are; every admin is told. Nobody is asked while the service names no registry.",

  root: "Root",
  pinned: "A root is pinned",
  pinnedWhy:
    "It is where trust begins. Later roots are found from it by their signatures, so that keys can change without anybody here.",
  notPinned: "No root is pinned",
  notPinnedWhy:
    "Nothing can be verified without one. Get the first root from whoever runs the registry, by another way than the registry itself, and name its file before the service starts:",
  lost: "When the registry has lost its keys",
  lostWhy:
    "Get the new root from whoever runs it, by another way, and begin anew on this server. What was seen is forgotten; the audit trail keeps it.",
  variable: "variable",
  command: "command",

  signatures: "Who signed what",
  signaturesOf: (address: string): string => `Who signed what: ${address}`,
  verifiedAt: "Verified",
  role: (name: string): string => ROLES[name] ?? `Publisher ${name}`,
  meaning: (name: string): string => MEANINGS[name] ?? "Packages of this publisher's pipelines",
  version: (version: number): string => `version ${count(version)}`,
  signedBy: "Signed by",
  threshold: (keys: number): string => `${counted(keys, "key", "keys")} needed`,
  key: (id: string): string => `key ${id}`,
  until: "Until",
  documents: (documents: number): string => counted(documents, "document", "documents"),
  notReadYet: "Signs packages of its own pipelines; none was read yet",
  signs: "Signs with",
  states: { valid: "Valid", ending: "Ends soon", expired: "Over" } satisfies Record<State, string>,

  notices: "Installed pipelines to look at",
  noneNoticed: "Nothing is said against what is installed",
  noneNoticedWhy:
    "When the registry withdraws a version that is installed here, or warns of it, it stands here with the reason.",
  inUse: "New runs use it",
  runsOf: (name: string, version: string): string => `Runs that used ${name} ${version}`,
} as const;
