import { text } from "../../text/en/forms";
import type { Difference } from "./compare";
import { type Form, groupsOf } from "./form";

interface Props {
  of: readonly Difference[];
  from: Form;
  to: Form;
}

/** What is different between two forms, in words: what changed has both values. */
export function Differences({ of, from, to }: Props) {
  if (of.length === 0) return <p class="muted">{text.same}</p>;
  return (
    <ul class="form-differences">
      {of.map((one) => (
        <li key={JSON.stringify(one)}>
          {sentenceOf(one)}
          {one.kind === "changed" && (
            <dl class="dispute-sides">
              <dt>{text.was}</dt>
              <dd>{inWords(one.key, one.from, from)}</dd>
              <dt>{text.is}</dt>
              <dd>{inWords(one.key, one.to, to)}</dd>
            </dl>
          )}
        </li>
      ))}
    </ul>
  );
}

function sentenceOf(one: Difference): string {
  switch (one.kind) {
    case "added":
      return text.added(one.part, one.label);
    case "removed":
      return text.gone(one.part, one.label);
    case "moved":
      return text.placeChanged(one.part, one.label);
    case "changed":
      return text.changed(one.label, one.key);
    case "offered":
      return text.offered(one.accession);
    case "withdrawn":
      return text.withdrawn(one.accession);
  }
}

/** A value of a question in words. */
export function inWords(key: string, value: unknown, form: Form): string {
  if (value === null || value === undefined) return BOOLEANS.includes(key) ? text.no : text.nothing;
  if (value === true) return text.yes;
  if (key === "groupId") return groupsOf(form).find(({ id }) => id === value)?.name ?? String(value);
  if (key === "type")
    return Object.entries(text.types).find(([type]) => type === value)?.[1] ?? String(value);
  if (key === "moduleSource")
    return Object.entries(text.modules).find(([id]) => id === value)?.[1] ?? String(value);
  if (Array.isArray(value)) return value.length === 0 ? text.nothing : text.several(value.map(String));
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const BOOLEANS = ["required", "visible", "perSample", "adminOnly"];
