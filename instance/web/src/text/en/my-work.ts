import { count, counted } from "../format";

/** The start page of researchers and of the facility. */
export const homeText = {
  myWork: "My work",
  today: "Today",
  waiting: "Waiting for you",
  running: "Running now",
  ready: "Ready to download",
  readyLine: (order: string): string => `The files of ${order} are ready.`,
  fetch: "Fetch files",
  messages: (unread: number): string => counted(unread, "unread message", "unread messages"),
  readMessages: "Read messages",
  myOrders: "My orders",
  allOrders: "All orders",
  none: "No orders yet",
  noneWhy: "A first order takes about three minutes: what to sequence, the samples, submit.",
  nothingWaiting: "Nothing waits for you.",
  nothingRunning: "Nothing is running.",
  since: "since",
  more: (number: number): string => `${count(number)} more`,
} as const;
