/** Where somebody is signed in. */
export const sessionText = {
  table: "Sessions",
  why: "Every browser in which you are signed in. A session ends by itself when it was not used for a while.",
  device: "Device",
  address: "Address",
  lastSeen: "Last seen",
  begun: "Signed in",
  here: "this one",
  deviceOf: (program: string | null, system: string | null): string => {
    if (program === null) return system ?? "Unknown device";
    return system === null ? program : `${program} on ${system}`;
  },
  end: "End",
  endOf: (device: string, address: string): string => `End ${device}, ${address}`,
  ended: (device: string): string => `${device} is signed out.`,
  signOutHere: "Sign out",
  endOthers: "End all others",
  endOthersTitle: "End all other sessions",
  endOthersWhat: "Every other browser is signed out at its next request. This one stays signed in.",
  onlyThis: "You are signed in nowhere else.",
  othersEnded: "All other sessions have ended.",
} as const;
