import { counted } from "../format";

/** `order-owner-changed` as `Order owner changed`. */
const inWords = (word: string): string => {
  const words = word.replaceAll("-", " ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

/** Who did what. */
export const auditText = {
  title: "Audit",
  intact: "Chain intact",
  broken: "Chain broken",
  brokenWhy:
    "Rows were changed or removed in the database. Compare the trail with a backup; the first wrong row is",
  rowsNumbered: (rows: number): string => counted(rows, "row", "rows"),
  verified: "all verified",
  head: "Head",
  headWhy: "Whoever keeps this elsewhere finds later whether rows before it were changed or cut off.",
  events: "Audit",
  when: "When",
  who: "Who",
  action: "Action",
  person: "Person",
  anybody: "Anybody",
  onePerson: "one person",
  allOfPerson: "Everything by this person",
  anyAction: "Any action",
  findAction: "Find an action",
  findPerson: "Find a person",
  actionGroups: {
    signIn: "Signing in",
    secrets: "Passwords and tokens",
    people: "People",
    orders: "Orders and delivery",
    reads: "Reads and sequencing",
    analyses: "Analyses",
    pipelines: "Pipelines and registry",
    facility: "Facility",
  },
  actionOf: inWords,
  object: "Object",
  objectOf: inWords,
  address: "Address",
  command: "Nobody signed in",
  search: "Search by object",
  searchHint: "Id of an order, run or person",
  noneFound: "Nothing fits",
  none: "Nothing is noted yet",
  noneWhy: "Sign-ins, changes of accounts and settings, releases and downloads are noted here.",
  more: (rows: number): string => `Show ${counted(rows, "row", "rows")} more`,
  openObject: "Open",
  detail: "Details",
  objectId: "Id",
  value: "Value",
  noDetail: "Nothing more is noted.",
  changes: "What changed",
  before: "Before",
  after: "After",
  nothing: "nothing",
  row: "Row",
  allOfObject: "Everything about this object",
} as const;
