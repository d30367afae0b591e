import { counted } from "../format";

/** The list of orders. */
export const listText = {
  number: "Number",
  name: "Name",
  owner: "Owner",
  platform: "Platform",
  samples: "Samples",
  plate: "Plate",
  done: "Complete",
  stage: "Stage",
  changed: "Changed",
  allStages: "Any stage",
  allPlatforms: "Any platform",
  allOwners: "Anybody",
  isSetTo: (filter: string, value: string): string => `${filter}: ${value}`,
  needsMe: "Needs me",
  removeAll: "Remove all filters",
  saveCsv: "CSV",
  savesCsv: "CSV of what is shown",
  nothingShown: "No orders are shown.",
  keys: "j and k move, Enter opens",
  more: (orders: number): string => `Show ${counted(orders, "more order", "more orders")}`,
  none: "No orders yet",
  noneWhy: "A first order takes about three minutes: what to sequence, the samples, submit.",
  noneForAdmin: "Orders of researchers appear here once they have begun one.",
  noneFound: "No order fits these filters",
} as const;
