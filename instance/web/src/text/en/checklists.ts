import type { components } from "../../api/schema";
import { count, counted, list } from "../format";

type Schemas = components["schemas"];
type Field = Schemas["instance.checklist-parts.ChecklistField"];
type Key = Schemas["instance.checklist-parts.ValueChange"]["key"];

const fields = (number: number): string => counted(number, "field", "fields");
const lists = (number: number): string => counted(number, "checklist", "checklists");
const studies = (number: number): string => counted(number, "study", "studies");

/** The checklists of the facility: what a study may be described by. */
export const checklistText = {
  title: "Checklists",
  about: "Checklists say how the samples of a study are described. New studies use the active version.",
  activeVersion: (version: number): string => `Version ${version} is active`,
  lastLooked: "Last looked for changes",
  neverLooked: "Nobody has looked for changes yet",
  sourceOf: "address of the registry's checklists",

  search: "Search the checklists",
  searchHint: "Name, accession or word",
  onlyOff: "Switched off",
  noneFound: "No checklist fits this search",
  clear: "Clear the search",
  none: "There are no checklists",
  noneWhy: "Look for changes to get those of the registry.",
  checklist: "Checklist",
  accession: "Accession",
  fieldCount: "Fields",
  mandatoryCount: "Mandatory",
  studyCount: "Studies",
  state: "State",
  offered: "Offered",
  switchedOff: "Switched off",
  deprecated: "Gone from the registry",

  isNewest: (version: number): string => `Version ${version} is the newest.`,
  isOlder: (remote: number, current: number): string =>
    `The registry has version ${remote}. Version ${current}, which is active, is newer, and nothing is taken over.`,
  isOut: (version: number): string => `Version ${version} is out.`,
  wouldChange: (version: number): string => `What version ${version} changes`,
  nothingDiffers: "No checklist differs. Only the number of the version is higher.",
  newFields: (labels: readonly string[]): string =>
    `${fields(labels.length)} ${labels.length === 1 ? "is" : "are"} new: ${list(labels)}`,
  removedFields: (labels: readonly string[]): string =>
    `${fields(labels.length)} ${labels.length === 1 ? "is" : "are"} removed: ${list(labels)}`,
  newlyRequired: (labels: readonly string[]): string => `Newly required: ${list(labels)}`,
  staysOff: "It stays switched off; its fields are updated.",
  staysHere: "Studies that use it keep it; new studies cannot choose it.",
  usedBy: (number: number): string => `Used by ${studies(number)}`,
  valueOf: (field: string, key: Key): string => `${field}, ${KEYS[key].toLowerCase()}`,
  keys: (key: Key): string => KEYS[key],

  applyTitle: (version: number): string => `Apply version ${version} of the checklists`,
  applyAnyway: "Apply all the same",
  newStudies: (version: number): string => `New studies use version ${version}.`,
  touches: (number: number): string =>
    number === 0
      ? "No study uses a checklist that changes or is removed."
      : `${studies(number)} ${number === 1 ? "uses a checklist that changes or is removed. It stays" : "use checklists that change or are removed. They stay"} with the present version. The page of a study says which of its samples the new version touches, and moves it.`,
  keptOff: (number: number): string =>
    `${lists(number)} that you switched off ${number === 1 ? "stays" : "stay"} so.`,
  applied: (version: number): string => `Version ${version} is active. New studies use it.`,
  nothingApplied: "Nothing was left to apply: the version here is as new as the registry's.",
  overtaken: "Somebody else changed the active version meanwhile. Look for changes again.",

  versions: "Versions",
  versionsWhy: "Every version that was active is kept, because studies keep theirs.",
  active: "Active",
  version: (version: number): string => `Version ${version}`,
  use: (version: number): string => `Use version ${version}`,
  reset: "Use the version of this release",
  resetWhy: "It is added if it is missing.",
  studiesStay: "Studies keep their version.",

  switchOff: "Switch off",
  switchOn: "Offer again",
  isOff: "This checklist is switched off. No update switches it on.",
  asOf: "Version of the checklist",
  fieldsOf: (all: number, mandatory: number): string => `${fields(all)}, ${count(mandatory)} mandatory`,
  toStudies: (number: number): string => studies(number),
  notInVersion: (version: number): string => `This checklist is not in version ${version}.`,
  searchFields: "Search the fields",
  searchFieldsHint: "Label, name, help or option",
  noFields: "No field fits",
  shownFields: (shown: number, all: number): string =>
    shown === all ? fields(all) : `${count(shown)} of ${fields(all)}`,
  levels: {
    mandatory: "Mandatory",
    recommended: "Recommended",
    optional: "Optional",
  } satisfies Record<Field["level"], string>,
  types: {
    text: "Text",
    number: "Number",
    date: "Date",
    select: "Choice",
    taxon: "Taxon",
  } satisfies Record<Field["type"], string>,
  type: "Type",
  units: "Units",
  pattern: "Pattern",
  example: "Example",
  options: (number: number): string => counted(number, "option", "options"),
} as const;

const KEYS: Record<Key, string> = {
  name: "Name",
  description: "Description",
  checklistVersion: "Edition",
  source: "Source",
  deprecated: "Gone from the registry",
  label: "Label",
  type: "Type",
  required: "Required",
  level: "Level",
  section: "Section",
  units: "Units",
  options: "Options",
  pattern: "Pattern",
  helpText: "Help",
  example: "Example",
};
