import { Fragment } from "preact";
import { splitLinks } from "./links";

/** What somebody wrote, with its line breaks; addresses in it become links, and nothing else becomes anything. */
export function PlainText({ children }: { children: string }) {
  return (
    <p class="plain-text">
      {splitLinks(children).map(({ at, words, href }) =>
        href ? (
          <a key={at} href={href} target="_blank" rel="noreferrer">
            {words}
          </a>
        ) : (
          <Fragment key={at}>{words}</Fragment>
        ),
      )}
    </p>
  );
}
