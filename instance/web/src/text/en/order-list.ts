import { counted } from "../format";

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
  isSetTo: (filter: string, value: string): string => `${filter}: ${value}`,
  needsMe: "Needs me",
  onePerson: "one person",
  keys: "j and k move, Enter opens",
  more: (orders: number): string => `Show ${counted(orders, "more order", "more orders")}`,
  none: "No orders yet",
  noneWhy: "A first order takes about three minutes: what to sequence, the samples, submit.",
  noneForAdmin: "Orders of researchers appear here once they have begun one.",
  noneFound: "No order fits these filters",
} as const;
