import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { count } from "../text/format";

export interface Tab {
  id: string;
  label: string;
  /** The address of the page with this tab open. */
  href: string;
  count?: number | undefined;
}

interface Props {
  /** What the tabs are of: `Order`. */
  label: string;
  tabs: readonly Tab[];
  current: string;
  children: ComponentChildren;
}

/** Tabs that are addresses: Back goes to the tab before, and a copied address opens the same one. */
export function Tabs({ label, tabs, current, children }: Props) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Where not all have room, the open one is seen.
    const tab = row.current?.querySelector<HTMLElement>("[aria-selected=true]");
    if (row.current && tab)
      row.current.scrollLeft = tab.offsetLeft - (row.current.clientWidth - tab.offsetWidth) / 2;
  }, [current]);
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined || !(event.currentTarget instanceof HTMLElement)) return;
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")];
    const now = all.findIndex((tab) => tab.matches(":focus"));
    event.preventDefault();
    all.at((now + step) % all.length)?.focus();
  };
  return (
    <>
      <div ref={row} class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map((tab) => (
          <a
            key={tab.id}
            id={`tab-${tab.id}`}
            role="tab"
            class="tab"
            href={tab.href}
            aria-selected={tab.id === current}
            aria-controls={tab.id === current ? "tab-panel" : undefined}
            tabIndex={tab.id === current ? 0 : -1}
          >
            {tab.label}
            {tab.count !== undefined && (
              <span class="count" aria-hidden="true">
                {count(tab.count)}
              </span>
            )}
          </a>
        ))}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${current}`}>
        {children}
      </div>
    </>
  );
}
