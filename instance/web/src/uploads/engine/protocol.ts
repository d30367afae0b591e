/** What page and worker tell each other. */

/** A file of this computer, as it was when the plan was made. */
export interface Part {
  path: string;
  file: File;
  fingerprint: string;
}

/** What is sent as one file to one place. */
export interface Item {
  id: string;
  orderId: string;
  name: string;
  size: number;
  /** One file, or lanes one behind the other. */
  parts: readonly Part[];
  targetKind: "read" | "artifact";
  targetRole: string;
  sampleId: string | null;
  metadata: Readonly<Record<string, unknown>>;
  /** What a list beside the file says. */
  listedMd5: string | null;
  /** The session that goes on. */
  uploadId: string | null;
  /** What the service had of it when the plan was made. */
  received: number;
  /** What is there of the name and size already; only hashing tells whether it is this file. */
  sameMd5s: readonly string[];
}

export interface Limits {
  recommendedChunkBytes: number;
  maxChunkBytes: number | null;
}

/** Why a file is not sent on. The text of a refusal with `words` is the service's own. */
export type Reason =
  | "changed"
  | "unreadable"
  | "notJoinable"
  | "listDiffers"
  | "bytesDiffer"
  | "cancelled"
  | "chunkTooLarge"
  | "fileTooLarge"
  | "diskFull"
  | "said";

export type State =
  | { is: "waiting" | "hashing" | "sending" | "verifying" | "paused" | "elsewhere" }
  | { is: "filed"; wasThere: boolean }
  | { is: "broken"; until: number }
  | { is: "refused"; why: Reason; words: string };

export interface Progress {
  id: string;
  state: State;
  /** Bytes that the service has, and those on their way. */
  sent: number;
  hashed: number;
}

export type Command =
  | { do: "add"; items: readonly Item[]; limits: Limits }
  | { do: "pause" | "resume" | "retry" | "remove"; ids: readonly string[] }
  | { do: "signedIn" | "online" };

export type Told =
  | { tells: "progress"; rows: readonly Progress[] }
  /** Somebody has to enter a password before anything goes on. */
  | { tells: "signedOut" };
