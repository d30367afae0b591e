import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { text } from "../text/en/common";
import { LinkButton } from "./button";

/** What stands after the heading in the document's title; the frame sets it. */
export const titleEnding = signal("");
/** What stands before it, how much is unread for example; the frame sets it too. */
export const titleStart = signal("");

// The first page leaves the focus where the browser puts it; each later one starts at its heading. The head of
// an outline gives way to that of the page itself: that is no later page, and the focus stays where it was.
let isFirst = true;
let seenAt = "";
let hadFocus = false;

interface Crumb {
  label: string;
  href: string;
}

interface Props {
  /** The one h1 of the page; with the site's name it is the document's title. */
  title: string;
  crumbs?: readonly Crumb[] | undefined;
  /** What the last crumb is, a number for example. */
  here?: ComponentChildren;
  /** Few facts in one line. */
  facts?: readonly ComponentChildren[] | undefined;
  /** Beside the title: a stamp, `Saved 14:02`. */
  aside?: ComponentChildren;
  actions?: ComponentChildren;
  /** The short page of help about this, see `text/en/help.ts`. */
  help?: string | undefined;
  /** The page is not read yet, and its own head takes the focus then. */
  isWaiting?: boolean | undefined;
}

export function PageHead({ title, crumbs, here, facts, aside, actions, help, isWaiting }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const start = titleStart.value;
  const ending = titleEnding.value;
  useEffect(() => {
    document.title = `${start}${ending ? `${title} · ${ending}` : title}`;
  }, [start, title, ending]);
  useEffect(() => {
    if (isWaiting) return;
    const isLater = !isFirst && seenAt !== location.pathname;
    if (isLater || hadFocus) heading.current?.focus({ preventScroll: true });
    isFirst = false;
    seenAt = location.pathname;
    return () => {
      hadFocus = document.activeElement === heading.current;
    };
  }, []);
  return (
    <header class="page-head">
      {crumbs && (
        <nav class="crumbs" aria-label={text.breadcrumb}>
          {crumbs.map(({ label, href }) => (
            <a key={href} href={href}>
              {label}
            </a>
          ))}
          {here && <span>{here}</span>}
        </nav>
      )}
      <div class="spread">
        <div class="page-title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {aside}
        </div>
        {(actions || help) && (
          <div class="line">
            {actions}
            {help && <LinkButton look="quiet" icon="help" href={`/help/${help}`} label={text.help} />}
          </div>
        )}
      </div>
      {facts && (
        <ul class="facts-line">
          {facts.map((fact, place) => (
            <li key={place}>{fact}</li>
          ))}
        </ul>
      )}
    </header>
  );
}
