import type { ComponentChildren } from "preact";
import { text } from "../text/en/common";

interface Props {
  /** One sentence that says what is next and whose turn it is. */
  sentence: ComponentChildren;
  /** More words, quieter. */
  more?: ComponentChildren;
  /** The one button, perhaps a second one. */
  children?: ComponentChildren;
}

/** The bar that says what is next: region `Next step`. */
export function NextStep({ sentence, more, children }: Props) {
  return (
    <section class="next-step" aria-label={text.nextStep}>
      <p>
        <strong>{sentence}</strong> {more}
      </p>
      {children && <div class="line">{children}</div>}
    </section>
  );
}
