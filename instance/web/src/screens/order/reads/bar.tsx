import { Button } from "../../../parts/button";
import { DemoNote } from "../../../parts/demo-note";
import { readsText as text } from "../../../text/en/reads";
import type { Page } from "./state";

interface Props {
  page: Page | null;
  /** Why nothing can be added. */
  refusal: string | null;
  onLink: () => void;
}

/** How far the reads of the order are, and how reads come in. */
export function ReadsBar({ page, refusal, onLink }: Props) {
  return (
    <>
      <div class="spread">
        <p>{page && text.summary(page.summary)}</p>
        <div class="line">
          <Button icon="link" refusal={refusal} onClick={onLink}>
            {text.link}
          </Button>
        </div>
      </div>
      <DemoNote />
      {page?.isPublished && <p class="muted">{text.isPublished}</p>}
    </>
  );
}
