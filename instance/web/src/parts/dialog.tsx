import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { text } from "../text/en/common";
import { Button } from "./button";

interface Props {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /** The buttons; the last one is what most people came for. */
  actions?: ComponentChildren;
  /** Escape would lose something: only a button closes it. */
  losesSomething?: boolean | undefined;
  isWide?: boolean | undefined;
  /** From the side, beside what it tells of. */
  isDrawer?: boolean | undefined;
  /** What is asked is still on its way, and takes the focus when it is there. */
  isWaiting?: boolean | undefined;
}

const FIRST_CONTROL = `.dialog-body :is(input:not([readonly], [type="hidden"]), select, textarea, a, button, [tabindex="0"]), .dialog-actions button`;

const FORMS = { dialog: "dialog", wide: "dialog dialog-wide", drawer: "dialog dialog-drawer" } as const;

/** How long after a dialog the button that opened it may go too, being done. */
const FOLLOWED_MS = 500;

/** Go on at the heading of what is on top, when the focus is lost with what had it. */
function keepFocus(until: number): void {
  if (document.activeElement !== document.body) {
    if (performance.now() < until) requestAnimationFrame(() => keepFocus(until));
    return;
  }
  const top = [...document.querySelectorAll<HTMLElement>("dialog[open] h2")].at(-1);
  (top ?? document.querySelector<HTMLElement>("h1"))?.focus({ preventScroll: true });
}

/** A dialog for as long as it is rendered. Its heading is its name; the focus returns to where it came from. */
export function Dialog({
  title,
  onClose,
  children,
  actions,
  losesSomething,
  isWide,
  isDrawer,
  isWaiting,
}: Props) {
  const box = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = box.current;
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      keepFocus(performance.now() + FOLLOWED_MS);
    };
  }, []);
  useEffect(() => {
    // The first control of what is asked, not the button that closes it; what a drawer tells is read first.
    if (!isWaiting) box.current?.querySelector<HTMLElement>(isDrawer ? "h2" : FIRST_CONTROL)?.focus();
  }, [isWaiting]);
  return (
    <dialog
      ref={box}
      class={FORMS[isDrawer ? "drawer" : isWide ? "wide" : "dialog"]}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        if (!losesSomething) onClose();
      }}
    >
      <div class="dialog-head">
        <h2 id={heading} tabIndex={-1}>
          {title}
        </h2>
        {!losesSomething && <Button look="quiet" icon="close" label={text.close} onClick={onClose} />}
      </div>
      <div class="dialog-body">{children}</div>
      {actions && <div class="dialog-actions">{actions}</div>}
    </dialog>
  );
}
