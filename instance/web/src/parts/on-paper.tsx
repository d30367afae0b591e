import { type ComponentChild, render } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** What is seen on paper only. It is made when the page is printed: no screen waits for what nobody sees. */
export function OnPaper({ children }: { children: () => ComponentChild }) {
  const host = useRef<HTMLDivElement>(null);
  const newest = useRef(children);
  newest.current = children;
  useEffect(() => {
    const paper = matchMedia("print");
    const draw = (): void => {
      // WHY not as a state: the printer takes the page as it is when this returns.
      const drawn = paper.matches || isPrinting ? <Drawn of={newest.current} /> : null;
      if (host.current) render(drawn, host.current);
    };
    let isPrinting = false;
    const begin = (): void => {
      isPrinting = true;
      draw();
    };
    const end = (): void => {
      isPrinting = false;
      draw();
    };
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    paper.addEventListener("change", draw);
    draw();
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
      paper.removeEventListener("change", draw);
    };
  }, []);
  return <div class="on-paper" ref={host} />;
}

/** A component, so that it is drawn anew when a signal in it changes. */
function Drawn({ of }: { of: () => ComponentChild }) {
  return of();
}
