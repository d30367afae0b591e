import { pipelineText as text } from "../../text/en/pipelines";
import type { Changes } from "./state";

type Named = Changes["files"];

/** How a version differs from the current one, in words. */
export function ChangeList({ of }: { of: Changes }) {
  const lines = [
    ...Object.entries(of.execution).map(([key, { before, after }]) => text.executes(key, before, after)),
    ...namedIn(text.files, of.files),
    ...namedIn(text.fetches, of.databases),
    ...namedIn(text.configures, of.configKeys),
  ];
  if (lines.length === 0) return <p class="muted">{text.same}</p>;
  return (
    <ul class="error-list">
      {lines.map((line) => (
        <li key={line} class="breaks">
          {line}
        </li>
      ))}
    </ul>
  );
}

function namedIn(what: string, { added, removed, changed }: Named): string[] {
  const parts = [
    added.length > 0 && text.added(added),
    changed.length > 0 && text.changed(changed),
    removed.length > 0 && text.removed(removed),
  ].filter(Boolean);
  return parts.length === 0 ? [] : [`${what}: ${parts.join("; ")}`];
}
