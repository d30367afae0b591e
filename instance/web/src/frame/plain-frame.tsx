import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { Toasts } from "../parts/toast";
import { siteName, user } from "../session";
import { frame } from "../text/en/frame";
import { Bars, SkipLink } from "./bars";
import { Brand } from "./brand";
import { Confirmation } from "./confirmation";
import { PasswordAgain } from "./password-again";

/** What is read, among pages that else are forms. */
const READ = /^\/(help|accessibility|demo)(\/|$)/;

/** Around the pages of who is not signed in. */
export function PlainFrame({ children }: { children: ComponentChildren }) {
  const { path } = useLocation();
  return (
    <>
      <SkipLink />
      <Bars />
      <header class="plain-head">
        <Brand name={siteName.value} />
        <nav class="line" aria-label={frame.main}>
          <a href="/help">{frame.help}</a>
          {!user.value && path !== "/sign-in" && <a href="/sign-in">{frame.signIn}</a>}
        </nav>
      </header>
      <main id="content" class={READ.test(path) ? "plain" : "plain plain-form"} tabIndex={-1}>
        {children}
      </main>
      <Toasts />
      <Confirmation />
      <PasswordAgain />
    </>
  );
}
