import { updateText as text } from "../text/en/registry-updates";

interface Finding {
  readonly collection: string;
  readonly id: string;
  readonly reason: string;
}

interface Props {
  /** Objects that are not taken: what is stored of them stays. */
  skipped: readonly Finding[];
  warnings: readonly Finding[];
}

/** What is wrong with the registry's answer; nothing when all is well. */
export function Findings({ skipped, warnings }: Props) {
  return (
    <>
      <Found title={text.leftOut} of={skipped} />
      <Found title={text.remarks} of={warnings} />
    </>
  );
}

function Found({ title, of: found }: { title: string; of: readonly Finding[] }) {
  if (found.length === 0) return null;
  return (
    <div class="notice notice-wait">
      <p class="notice-title">{title}</p>
      <ul class="error-list">
        {found.map(({ collection, id, reason }) => (
          <li key={`${collection} ${id} ${reason}`} class="breaks">
            <code>{id}</code> {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}
