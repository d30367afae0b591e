export const demoText = {
  title: "Look around",
  off: "There is no demonstration here",
  what: "You get orders, reads and results to look at. Changes are switched off.",
  researcher: "A researcher",
  researcherWhat: "Orders sequencing, follows the samples and fetches what was delivered.",
  asResearcher: "Try as researcher",
  admin: "The facility",
  adminWhat: "Sees what waits, files reads, runs analyses and releases results.",
  asAdmin: "Try as admin",
} as const;
