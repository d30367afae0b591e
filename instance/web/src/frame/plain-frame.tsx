import type { ComponentChildren } from "preact";
import { Toasts } from "../parts/toast";
import { siteName, user } from "../session";
import { frame } from "../text/en/frame";
import { Bars, SkipLink } from "./bars";
import { Brand } from "./brand";
import { Confirmation } from "./confirmation";
import { PasswordAgain } from "./password-again";

/** Around the pages of who is not signed in. */
export function PlainFrame({ children }: { children: ComponentChildren }) {
  return (
    <>
      <SkipLink />
      <Bars />
      <header class="plain-head">
        <Brand name={siteName.value} />
        <nav class="line" aria-label={frame.main}>
          <a href="/help">{frame.help}</a>
          {!user.value && <a href="/sign-in">{frame.signIn}</a>}
        </nav>
      </header>
      <main id="content" class="plain" tabIndex={-1}>
        {children}
      </main>
      <Toasts />
      <Confirmation />
      <PasswordAgain />
    </>
  );
}
