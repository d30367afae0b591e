import type { components } from "../../api/schema";

export type Scope = components["schemas"]["instance.requests.new-token"]["scopes"][number];

/** Keys for programs. */
export const tokenText = {
  why: "A token lets a program work in your name, within what you allow it. It goes on when you change your password.",
  table: "Tokens",
  none: "No tokens yet",
  noneWhy: "Make one for a script, or for the transfer client on a cluster.",
  make: "New token",
  makeTitle: "New token",
  makeButton: "Make token",
  name: "Name",
  nameHelp: "What will use it, so that you know which one to revoke.",
  days: "Valid for",
  daysUnit: "days",
  daysHelp: "From 1 to 365.",
  scopes: "It may",
  scopesHelp: "Allow what the program needs and no more.",
  scopeWords: {
    "orders:read": "See orders, samples, studies and messages",
    "orders:write": "See and change orders, samples, studies and messages",
    "uploads:write": "Send reads and files, plan runs, follow instruments",
    "delivery:read": "Download what was released",
    "runs:read": "See analyses and their results",
    "runs:write": "See, start and select analyses",
    admin: "Do everything that facility staff may",
  } satisfies Record<Scope, string>,
  allowed: "May",
  expires: "Expires",
  expired: "expired",
  lastUsed: "Last used",
  neverUsed: "never",
  usedFrom: (address: string): string => `from ${address}`,
  revoke: "Revoke",
  revokeOf: (name: string): string => `Revoke ${name}`,
  revokeWhat: "Programs that use it are refused from now on. A revoked token can't be brought back.",
  revoked: (name: string): string => `${name} is revoked.`,

  madeTitle: (name: string): string => `Token ${name}`,
  madeWhy: "Copy it now. It is shown this once, and nobody can look it up later.",
  token: "Token",
  use: "Try it in a shell",
  tryHelp: "The line waits for the token: paste it and press Enter. It stays out of the shell's history.",
  useHelp: "The transfer client reads the token from the variable SEQFACILITY_TOKEN, or from a file.",
  done: "I have copied it",
} as const;
