import { Button } from "../../parts/button";
import { text as common } from "../../text/en/common";
import { text } from "../../text/en/new-order";
import { keyOf } from "./answers";
import type { Draft } from "./draft";
import { textOf } from "./samples";

/** Answers that somebody else wrote as well: ours are saved, theirs are one click away. */
export function Conflicts({ draft }: { draft: Draft }) {
  const conflicts = draft.conflicts.value;
  if (conflicts.length === 0) return null;
  const labels = new Map(draft.form.fields.map((field) => [keyOf(field), field.label]));
  return (
    <div class="notice" role="alert">
      <p class="notice-title">{common.changed}</p>
      <ul class="stack-tight">
        {conflicts.map(({ key, theirs }) => (
          <li key={key} class="line">
            {text.theirs(labels.get(key) ?? key, textOf(theirs))}
            <Button onClick={() => draft.answer(key, theirs)}>{text.useTheirs}</Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
