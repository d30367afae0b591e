import { count, counted } from "../format";

/** What the questions of forms say, wherever they are asked. */
export const text = {
  notSpecified: "Not specified",
  funder: "Funder",
  grantNumber: "Grant number",
  grantTitle: "Grant title",
  addGrant: "Add a grant",
  removeGrant: (place: number): string => `Remove grant ${count(place)}`,
  projectCode: "Project code",
  costCenter: "Cost centre",

  formChanged: "The form has changed",
  stillAsked:
    "This page goes on with the new form. What you wrote for questions that are still asked is kept.",
  added: (labels: readonly string[]): string => `New: ${labels.join(", ")}`,
  noLongerAsked: "No longer asked",
  noLongerAskedHelp:
    "These questions are gone, or take other answers now. What you wrote is not sent with the form. It stays here until you dismiss it.",
  lines: (number: number): string => counted(number, "line", "lines"),
  dismiss: "Dismiss",
  dismissed: "Dismissed what is no longer asked",
  changedBeforeSubmit: "The form has changed. Look at what it asks now, then submit again.",
} as const;
