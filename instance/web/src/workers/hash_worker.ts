import { createMD5 } from "hash-wasm";
import type { HashAnswer, HashRequest } from "./md5";

const SLICE_BYTES = 8 * 1024 * 1024;

async function md5(file: Blob, tell: (bytes: number) => void): Promise<string> {
  const hasher = await createMD5();
  hasher.init();
  for (let start = 0; start < file.size; start += SLICE_BYTES) {
    hasher.update(new Uint8Array(await file.slice(start, start + SLICE_BYTES).arrayBuffer()));
    tell(Math.min(start + SLICE_BYTES, file.size));
  }
  return hasher.digest("hex");
}

self.addEventListener("message", async (event: MessageEvent<HashRequest>) => {
  const { id, file } = event.data;
  const answer = (words: HashAnswer) => self.postMessage(words);
  try {
    answer({ id, md5: await md5(file, (bytes) => answer({ id, bytes })) });
  } catch (reason) {
    // A file that was moved or changed since it was chosen can't be read any more.
    answer({ id, problem: reason instanceof Error ? reason.message : String(reason) });
  }
});
