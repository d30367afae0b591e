import { count } from "../format";

/** The second factor of an account. */
export const factorText = {
  why: "Besides your password, signing in asks for a code that an app on your telephone shows. Who learns your password alone can't sign in.",
  on: "Your second factor is on.",
  off: "You have no second factor.",
  required: "The facility requires a second factor of its staff. Set it up to go on.",
  codesLeft: (left: number): string =>
    left === 1 ? "One recovery code is left." : `${count(left)} recovery codes are left.`,
  fewCodes: "Remove the second factor and set it up again to get new recovery codes.",

  setUp: "Set up",
  setUpTitle: "Set up the second factor",
  scan: "Scan this with your authenticator app, or type the key into it.",
  picture: "QR code with the key",
  key: "Key",
  thenCode: "Then enter the code that the app shows.",
  confirm: "Turn on",

  codesTitle: "Your recovery codes",
  codesWhy:
    "Each signs you in once, in place of a code of the app. Keep them where you find them without your telephone. They are shown this once.",
  copyAll: "recovery codes",
  print: "Print",
  download: "Download",
  file: "seqfacility-recovery-codes.txt",
  fileHead: (site: string, email: string): string => `Recovery codes of ${email}, ${site}. Each works once.`,
  kept: "I have kept them",

  remove: "Remove",
  removeTitle: "Remove the second factor",
  removeWhat: "Signing in asks for your password alone afterwards. The recovery codes stop working.",
  removeRefusal: "The facility requires it of its staff.",
} as const;
