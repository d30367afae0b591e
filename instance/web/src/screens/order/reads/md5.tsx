import { Chip, type Tone } from "../../../parts/chip";
import { readsText as text } from "../../../text/en/reads";
import type { Md5State } from "./state";

const MD5_TONES: Record<Md5State, Tone> = {
  none: "wait",
  given: "calm",
  computed: "calm",
  verified: "ok",
  differs: "bad",
};

/** What is known of an MD5, in words. */
export function Md5({ state }: { state: Md5State | null }) {
  if (state === null) return <span class="muted">–</span>;
  return <Chip tone={MD5_TONES[state]}>{text.md5States[state]}</Chip>;
}
