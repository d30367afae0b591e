import type { ComponentChildren, JSX, RefObject } from "preact";
import { useId, useRef } from "preact/hooks";

interface Props {
  /** The button; give it what it gets. */
  opener: (anchor: { popovertarget: string }) => JSX.Element;
  children: ComponentChildren;
  /** Which edge of the button it keeps to. */
  align?: "start" | "end" | undefined;
  label?: string | undefined;
  role?: "menu" | "dialog" | undefined;
  onToggle?: ((isOpen: boolean) => void) | undefined;
  innerRef?: RefObject<HTMLDivElement | null> | undefined;
}

const GAP = 4;

/** Something that floats beside its button; a click elsewhere or Escape closes it. */
export function Popover({ opener, children, align = "start", label, role, onToggle, innerRef }: Props) {
  const id = useId();
  const own = useRef<HTMLDivElement>(null);
  const box = innerRef ?? own;
  const place = (): void => {
    const floating = box.current;
    const button = floating?.previousElementSibling;
    if (!floating || !button) return;
    const at = button.getBoundingClientRect();
    const below = innerHeight - at.bottom;
    // A long list scrolls in the room that there is.
    floating.style.maxBlockSize = `${Math.max(below, at.top) - 2 * GAP}px`;
    const isAbove = below < floating.offsetHeight + GAP && at.top > below;
    const wanted = align === "end" ? at.right - floating.offsetWidth : at.left;
    const left = Math.max(
      GAP,
      Math.min(wanted, document.documentElement.clientWidth - floating.offsetWidth - GAP),
    );
    floating.style.left = `${left}px`;
    floating.style.top = `${isAbove ? Math.max(GAP, at.top - floating.offsetHeight - GAP) : at.bottom + GAP}px`;
  };
  return (
    <>
      {opener({ popovertarget: id })}
      <div
        ref={box}
        id={id}
        popover="auto"
        class="popover"
        {...(role && { role, "aria-label": label })}
        onToggle={(event) => {
          const isOpen = event.newState === "open";
          if (isOpen) place();
          onToggle?.(isOpen);
        }}
      >
        {children}
      </div>
    </>
  );
}
