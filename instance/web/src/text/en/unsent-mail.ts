import { counted } from "../format";

/** Mail that the facility sends, as its admins look after it. */
export const unsentMailText = {
  title: "Mail",
  notSent: "Mail that could not be sent",
  none: "All mail was sent",
  noneFailed: "No mail has failed",
  noneWhy: "Mail that could not be sent is listed here, with the reason.",
  waiting: (mails: number): string =>
    mails === 0 ? "Nothing waits to be sent." : `${counted(mails, "mail waits", "mails wait")} to be sent.`,
  to: "To",
  subject: "Subject",
  reason: "Reason",
  attempts: "Attempts",
  made: "Made",
  retry: "Send again",
  retryOf: (subject: string, to: string): string => `Send again: ${subject}, to ${to}`,
  queued: (subject: string): string => `${subject} waits to be sent again.`,
} as const;
