import { DemoNote } from "../../../parts/demo-note";
import { readsText as text } from "../../../text/en/reads";
import type { Page } from "./state";

/** How far the reads of the order are, and what one has to know before one changes them. */
export function ReadsBar({ page }: { page: Page | null }) {
  return (
    <div class="stack-tight">
      <DemoNote />
      {page && <p>{text.summary(page.summary)}</p>}
      {page?.order.status === "DRAFT" && <p class="muted">{text.onlySubmitted}</p>}
      {page?.isPublished && <p class="muted">{text.isPublished}</p>}
    </div>
  );
}
