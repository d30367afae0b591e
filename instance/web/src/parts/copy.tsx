import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { text } from "../text/en/common";
import { copyText } from "./copy-text";
import { Icon } from "./icon";

const SHOWN_MS = 2000;

/** A code that people carry elsewhere, with a button that copies it; `shown` where it is read in another form. */
export function Copy({ value, label, shown = value }: { value: string; label: string; shown?: string }) {
  const state = useSignal<"copied" | "failed" | null>(null);
  const code = useRef<HTMLElement>(null);
  const copy = async (): Promise<void> => {
    if (!code.current) return;
    state.value = (await copyText(value, code.current)) ? "copied" : "failed";
    if (state.value === "failed") return;
    setTimeout(() => {
      state.value = null;
    }, SHOWN_MS);
  };
  return (
    <span class="copy">
      <code ref={code}>{shown}</code>
      <button
        type="button"
        class="bare"
        aria-label={`${text.copy} ${label}`}
        title={`${text.copy} ${label}`}
        onClick={copy}
      >
        <Icon name={state.value === "copied" ? "check" : "copy"} />
      </button>
      <span class={state.value === "failed" ? "muted" : "unseen"} role="status">
        {state.value === "copied" && text.copied}
        {state.value === "failed" && text.notCopied}
      </span>
    </span>
  );
}
