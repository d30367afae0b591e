import { count, counted } from "../format";

/** The list of orders. */
export const listText = {
  number: "Number",
  name: "Name",
  owner: "Owner",
  platform: "Platform",
  samples: "Samples",
  plate: "Plate",
  library: "Library",
  begun: "Begun",
  stage: "Stage",
  changed: "Changed",
  allStages: "Any stage",
  allPlatforms: "Any platform",
  allOwners: "Anybody",
  needsMe: "Needs me",
  findOwner: "Find a person",
  onePerson: "one person",
  keys: "j and k move, Enter opens",
  more: (orders: number): string => `Show ${counted(orders, "more order", "more orders")}`,
  none: "No orders yet",
  noneWhy: "A first order takes about three minutes: what to sequence, the samples, submit.",
  noneForAdmin: "Orders of researchers appear here once they have begun one.",
  noneFound: "No order fits these filters",
} as const;

const orders = (number: number): string => counted(number, "order", "orders");

/** Several orders of the list at once. */
export const selectionText = {
  selection: "Chosen orders",
  chosen: "Chosen",
  choose: (name: string): string => `Choose ${name}`,
  chooseAll: "Choose all shown",
  chooseFirst: "Choose orders first.",
  chosenOf: (number: number): string => `${orders(number)} chosen`,
  saveChosen: "CSV of chosen",
  changeStage: "Change stage",
  notNext: "For none of the chosen orders is this the next step.",
  step: {
    accept: (number: number): string => `Accept ${orders(number)}`,
    receive: (number: number): string => `Record samples of ${orders(number)}`,
  },
  stepWhat: (names: readonly string[]): string =>
    `It is noted in each of them and can't be taken back: ${names.join(", ")}.`,
  progress: (done: number, all: number): string => `${count(done)} of ${orders(all)}`,
  recorded: (what: string, done: number, all: number): string => `${what} ${count(done)} of ${orders(all)}.`,
  failed: (name: string, words: string): string => `${name}: ${words}`,
} as const;
