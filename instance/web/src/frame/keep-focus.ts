const LANDMARKS = "main, dialog, section, form, fieldset, [role], [tabindex]";
/** A new page moves the focus to its heading; only what nobody takes is ours. */
const WAIT_MS = 100;

/**
 * Keep the focus in the page when what has it goes away: a row that was removed, a notice that was closed. The
 * nearest region that still stands takes it, so that the next Tab goes on from there and not from the top.
 */
export function keepFocus(): void {
  let around: readonly Element[] = [];
  addEventListener("focusin", ({ target }) => {
    around = target instanceof Element ? withAncestors(target) : [];
  });
  addEventListener("focusout", ({ relatedTarget }) => {
    // WHY later: what is being removed is still in the page now; what stays was left on purpose.
    if (relatedTarget === null)
      queueMicrotask(() => {
        if (around[0]?.isConnected && document.activeElement === document.body) around = [];
      });
  });
  const repair = (): void => {
    if (document.activeElement !== document.body || around[0]?.isConnected !== false) return;
    const standing = around.find((element) => element.isConnected)?.closest<HTMLElement>(LANDMARKS);
    around = [];
    if (!standing) return;
    if (!standing.hasAttribute("tabindex")) standing.tabIndex = -1;
    standing.focus({ preventScroll: true });
  };
  new MutationObserver(() => {
    if (around[0]?.isConnected === false) setTimeout(repair, WAIT_MS);
  }).observe(document.body, { childList: true, subtree: true });
}

function withAncestors(element: Element): readonly Element[] {
  const found: Element[] = [];
  for (let one: Element | null = element; one !== null; one = one.parentElement) found.push(one);
  return found;
}
