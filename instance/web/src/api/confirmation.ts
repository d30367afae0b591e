import { signal } from "@preact/signals";

/** Set while requests wait for their person to confirm who they are. */
export const confirmationAsked = signal(false);

/** When the last dialog was answered, and how: what was sent before that is answered with it. */
let last = { at: Number.NEGATIVE_INFINITY, isConfirmed: false };

const waiting = new Set<(isConfirmed: boolean) => void>();

/**
 * Wait for the confirmation that the service wants for a request sent at `begun`; answer whether it was given.
 * Several requests wait for one dialog, and a request that nobody wants any more waits no longer.
 */
export function confirmed(begun: number, { signal }: Request): Promise<boolean> {
  if (begun < last.at) return Promise.resolve(last.isConfirmed);
  confirmationAsked.value = true;
  return new Promise((resolve) => {
    waiting.add(resolve);
    signal.addEventListener("abort", () => {
      waiting.delete(resolve);
      if (waiting.size === 0) confirmationAsked.value = false;
      resolve(false);
    });
  });
}

export function answerConfirmation(isConfirmed: boolean): void {
  last = { at: performance.now(), isConfirmed };
  confirmationAsked.value = false;
  const asked = [...waiting];
  waiting.clear();
  for (const resolve of asked) resolve(isConfirmed);
}
