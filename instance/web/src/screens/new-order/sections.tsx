import type { ComponentChildren } from "preact";
import { Icon } from "../../parts/icon";
import { text } from "../../text/en/new-order";

export type SectionState = "open" | "done";

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly state: SectionState;
}

/** The parts of the page; what is filled in ticks itself off. */
export function Sections({ sections }: { sections: readonly Entry[] }) {
  return (
    <nav class="new-order-nav" aria-label={text.sections}>
      <ol>
        {sections.map(({ id, title, state }) => (
          <li key={id} data-state={state}>
            <a
              href={`#${id}`}
              onClick={(event) => {
                event.preventDefault();
                const heading = document.getElementById(id);
                heading?.scrollIntoView();
                heading?.focus({ preventScroll: true });
              }}
            >
              <span class="new-order-tick" aria-hidden="true">
                {state === "done" && <Icon name="check" />}
              </span>
              {title}
              {state === "done" && <span class="unseen"> ({text.done})</span>}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface SectionProps {
  id: string;
  title: string;
  isWide?: boolean | undefined;
  children: ComponentChildren;
}

export function Section({ id, title, isWide, children }: SectionProps) {
  return (
    <section class={isWide ? "new-order-section" : "new-order-section card"} aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
}
