import { createMD5, createSHA256 } from "hash-wasm";
import type { HashAnswer, HashRequest } from "./md5";

const SLICE_BYTES = 8 * 1024 * 1024;
const SAMPLED_BYTES = 64 * 1024;
const FINGERPRINT_DIGITS = 32;

type Hasher = Awaited<ReturnType<typeof createSHA256>>;
let sha256: Promise<Hasher> | undefined;

/** Files one behind the other, as they are sent. */
async function md5(files: readonly Blob[], tell: (bytes: number) => void): Promise<string> {
  const hasher = await createMD5();
  hasher.init();
  let before = 0;
  for (const file of files) {
    for (let start = 0; start < file.size; start += SLICE_BYTES) {
      hasher.update(await bytesOf(file, start, start + SLICE_BYTES));
      tell(before + Math.min(start + SLICE_BYTES, file.size));
    }
    before += file.size;
  }
  return hasher.digest("hex");
}

/** What tells this state of a file from any other, exactly as the command makes it. Decision: G636. */
async function fingerprint(file: File): Promise<string> {
  // WHY: each read is a way to the browser's own process and back, and most of 10,000 files may be small.
  const whole = file.size <= 2 * SAMPLED_BYTES ? await bytesOf(file, 0, file.size) : null;
  const head = whole?.subarray(0, SAMPLED_BYTES) ?? (await bytesOf(file, 0, SAMPLED_BYTES));
  const last = Math.max(0, file.size - SAMPLED_BYTES);
  const tail = whole?.subarray(last) ?? (await bytesOf(file, last, file.size));
  sha256 ??= createSHA256();
  const hasher = await sha256;
  // WHY: one hasher for all, and nothing is waited for between these lines.
  hasher.init();
  hasher.update(new TextEncoder().encode(`${file.size} ${Math.floor(file.lastModified / 1000)} `));
  hasher.update(head);
  hasher.update(tail);
  return hasher.digest("hex").slice(0, FINGERPRINT_DIGITS);
}

const bytesOf = async (file: Blob, start: number, end: number): Promise<Uint8Array> =>
  new Uint8Array(await file.slice(start, end).arrayBuffer());

self.addEventListener("message", async (event: MessageEvent<HashRequest>) => {
  const { id } = event.data;
  const answer = (words: HashAnswer) => self.postMessage(words);
  try {
    if ("fingerprintOf" in event.data) answer({ id, hash: await fingerprint(event.data.fingerprintOf) });
    else answer({ id, hash: await md5(event.data.files, (bytes) => answer({ id, bytes })) });
  } catch (reason) {
    // A file that was moved or changed since it was chosen can't be read any more.
    answer({ id, problem: reason instanceof Error ? reason.message : String(reason) });
  }
});
