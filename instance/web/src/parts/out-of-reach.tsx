import { text } from "../text/en/common";
import { LinkButton } from "./button";
import { PageHead } from "./page-head";

/** Somebody else's, or nothing at all: the page makes no difference. */
export function OutOfReach({ why = text.cantSeeWhy }: { why?: string }) {
  return <Dead title={text.cantSee} why={why} />;
}

/** No place has this address. */
export function NotFound() {
  return <Dead title={text.notFound} why={text.notFoundWhy} />;
}

function Dead({ title, why }: { title: string; why: string }) {
  return (
    <div class="stack">
      <PageHead title={title} />
      <p>{why}</p>
      <div>
        <LinkButton href="/">{text.toStart}</LinkButton>
      </div>
    </div>
  );
}
