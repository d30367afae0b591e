/** Colours of the look, as a canvas takes them: they are asked of an element that is in the page. */
export function inkOf(box: HTMLElement, token: string): string {
  const probe = document.createElement("span");
  probe.hidden = true;
  probe.style.color = `var(--${token})`;
  box.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Call `act` when the look changes between light and dark. Returns how to end that. */
export function whenLookChanges(act: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", act);
  const chosen = new MutationObserver(act);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => {
    system.removeEventListener("change", act);
    chosen.disconnect();
  };
}
