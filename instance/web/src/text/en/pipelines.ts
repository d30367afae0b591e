import type { components } from "../../api/schema";
import { counted, list, size } from "../format";

type Schemas = components["schemas"];
type Installed = Schemas["instance.admin-pipelines"]["pipelines"][number];
type Database = Schemas["instance.reference-databases"]["databases"][number];

const KEYS: Readonly<Record<string, string>> = {
  engine: "Engine",
  repository: "Repository",
  revision: "Revision",
  commit: "Commit",
  path: "File",
};

const written = (value: unknown): string =>
  value === null || value === undefined
    ? "nothing"
    : typeof value === "string"
      ? value
      : JSON.stringify(value);

/** Pipelines: what is installed, what the registry offers, and the data that they need. */
export const pipelineText = {
  title: "Pipelines",
  tablist: "Pipelines",
  tabs: { installed: "Installed", store: "Store", data: "Reference data" },

  pipeline: "Pipeline",
  version: "Version",
  state: "State",
  ready: "Ready",
  from: "From",
  says: "Registry says",
  enabled: "Enabled",
  disabled: "Disabled",
  broken: "Broken",
  isReady: "Ready",
  lacks: (things: number): string => `${counted(things, "thing", "things")} missing`,
  noticed: "Look at it",
  origins: {
    bundled: "This release",
    registry: "Registry or file",
    repository: "Git repository",
  } satisfies Record<Installed["origin"], string>,
  noneInstalled: "No pipeline is installed",
  noneInstalledWhy: "Install one from the store.",
  toStore: "Open the store",

  search: "Search the store",
  searchHint: "Name, purpose or word",
  noneFound: "No pipeline fits this search",
  clear: "Clear the search",
  noneOffered: "The registry offers no pipeline",
  purpose: "Purpose",
  newest: "Newest",
  here: "Here",
  notHere: "Not installed",
  update: (version: string): string => `${version}, an update waits`,
  storeOf: "address of the registry",
  storeFails: "The registry could not be read",
  storeFailsWhy: "Installed pipelines keep working.",
  toTrust: "Registry and signatures",
  unsigned: "This was read without a valid signature",
  tryAgain: "Try again",

  unknown: "No such pipeline is installed, and the registry names none.",
  whatRuns: "What it runs",
  engine: "Engine",
  engines: { snakemake: "Snakemake", nextflow: "Nextflow", "": "not known" },
  workflow: "Workflow",
  brought: "Comes with the package",
  revision: "Revision",
  commit: "Commit",
  noCommit: "Not pinned: the revision can change",
  containers: "Containers",
  containersWhy:
    "The workflow names them when it runs. The facility's Nextflow profile decides whether they are used.",
  databases: "Reference data",
  noDatabases: "None",
  checked: {
    sha256: "checked by SHA-256",
    md5: "checked by MD5",
    size: "checked by size alone",
    nothing: "not checked: no digest is named",
  } satisfies Record<Database["checkedAgainst"], string>,
  sizeOf: (bytes: number | null): string => (bytes === null ? "size not known" : size(bytes)),
  author: "By",
  tried: "Tried by the registry",
  triedWith: (version: string, engine: string, day: string): string =>
    `Version ${version} with ${engine} on ${day}`,
  notTried: "No run with test data is recorded",
  source: "Imported from",
  newestOf: "of the newest version",

  readiness: "Ready to run",
  canRun: "It can be run.",
  canNotRun: "It can't be run yet.",
  toData: "Open the reference data",
  onThisPage: "on this page",

  versions: "Versions",
  current: "New runs use it",
  moreVersions: "More in the registry",
  installedAt: "Installed",
  digest: "SHA-256",
  digestOf: (version: string): string => `SHA-256 of ${version}`,
  noDigest: "The registry gives none",
  signedBy: "Signed by",
  signers: (role: string): string => (role === "targets" ? "the registry's release" : `publisher ${role}`),
  notSigned: "no signature",
  withdrawn: "Withdrawn",
  notHosted: "The registry does not offer it for download.",
  differs: "Differs from the current version",
  same: "Runs and fetches the same as the current version.",
  executes: (key: string, before: unknown, after: unknown): string =>
    `${KEYS[key] ?? key}: ${written(before)} → ${written(after)}`,
  files: "Files that run",
  fetches: "Reference data",
  configures: "Settings",
  added: (names: readonly string[]): string => `new ${list(names)}`,
  changed: (names: readonly string[]): string => `changed ${list(names)}`,
  removed: (names: readonly string[]): string => `removed ${list(names)}`,

  install: "Install",
  installOf: (name: string, version: string): string => `Install ${name} ${version}`,
  installs: "Installing. The package is fetched and checked.",
  installWhat:
    "The package is fetched, checked against its digest and kept. It cannot run before it is enabled.",
  installKeeps: (version: string): string =>
    `New runs keep using ${version} until another version is chosen.`,
  installOlder: (newest: string): string =>
    `${newest} is the newest version. What an older one runs is shown once it is installed.`,
  installed: (version: string): string => `${version} is installed.`,
  installedUnsigned: (version: string): string => `${version} is installed, without a valid signature`,

  use: "Use for new runs",
  useOf: (version: string): string => `Use ${version} for new runs`,
  useTitle: (name: string, version: string): string => `Use ${name} ${version}`,
  useWhat: (before: string): string =>
    `New runs use it instead of ${before}. Existing runs keep their version.`,

  enable: "Enable",
  disable: "Disable",
  settings: "Settings",
  settingsOf: (name: string): string => `Settings of ${name}`,
  settingsWhy: "They apply to every run that does not override them.",
  otherVersion: (version: string): string =>
    `Somebody else made ${version} the version of new runs. Look at its settings before you save them.`,
  remove: "Remove",
  removeOf: (name: string): string => `Remove ${name}`,
  removeWhat: (versions: number): string =>
    `${versions === 1 ? "Its version" : `All ${counted(versions, "version", "versions")}`} and its settings are removed. Existing runs and their results stay.`,

  noData: "No pipeline needs reference data",
  noDataWhy: "The reference data of installed pipelines is listed here and can be fetched.",
  neededBy: (names: readonly string[]): string => `For ${list(names)}`,
  address: "address",
  path: "path",
  kept: "Kept in",
  verifiedBy: {
    sha256: "SHA-256 verified",
    md5: "MD5 verified",
    size: "size verified",
    nothing: "there was no checksum to verify",
  } satisfies Record<Database["checkedAgainst"], string>,
  fetch: "Fetch",
  fetchOf: (label: string): string => `Fetch ${label}`,
  fetchAgain: "Fetch again",
  fetchAgainOf: (label: string): string => `Fetch again: ${label}`,
  progressOf: (label: string): string => `Progress of ${label}`,
  stop: "Stop",
  stopOf: (label: string): string => `Stop fetching ${label}`,
  removeData: (label: string): string => `Remove ${label}`,
  removeDataWhat: "Its files are deleted. They can be fetched again.",
  stopWhat: "What was received so far is deleted.",
} as const;
