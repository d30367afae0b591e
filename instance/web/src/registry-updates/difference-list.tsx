import "../style/parts/registry-updates.css";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../parts/button";
import { listChangeWords, updateText as text, valueWords } from "../text/en/registry-updates";
import { count } from "../text/format";
import { type Group, grouped, listChange, type ObjectChange, type ValueChange } from "./differences";

/** A catalog may have thousands of objects: so many of a kind are in the page until all are asked for. */
const SHOWN = 40;
/** More values than that are folded, so that one object does not hide the others. */
const UNFOLDED = 4;

/** What an update would do, in words: new, changed old → new, kept, gone. */
export function DifferenceList({ of }: { of: readonly ObjectChange[] }) {
  return (
    <div class="stack">
      {grouped(of).map((group) => (
        <Kind key={group.kind} group={group} />
      ))}
    </div>
  );
}

function Kind({ group: { kind, objects } }: { group: Group }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? objects : objects.slice(0, SHOWN);
  const heading = `difference-${kind}`;
  return (
    <section class="stack-tight" aria-labelledby={heading}>
      <h3 id={heading}>
        {text.kinds[kind]} <span class="muted">{count(objects.length)}</span>
      </h3>
      <ul class="differences">
        {shown.map((one) => (
          <Changed key={`${one.name} ${one.id}`} of={one} />
        ))}
      </ul>
      {shown.length < objects.length && (
        <div>
          <Button onClick={() => setWhole(true)}>{text.showAll(objects.length)}</Button>
        </div>
      )}
    </section>
  );
}

function Changed({ of: { id, name, href, notes = [], values = [] } }: { of: ObjectChange }) {
  return (
    <li class="stack-tight">
      <p class="line">
        {href ? <a href={href}>{name}</a> : <strong>{name}</strong>}
        {id !== name && <code class="muted">{id}</code>}
      </p>
      {notes.length > 0 && (
        <ul class="error-list">
          {notes.map((note) => (
            <li key={note} class="breaks">
              {note}
            </li>
          ))}
        </ul>
      )}
      {values.length > UNFOLDED ? (
        <details>
          <summary>{text.values(values.length)}</summary>
          <Values of={values} />
        </details>
      ) : (
        values.length > 0 && <Values of={values} />
      )}
    </li>
  );
}

function Values({ of: values }: { of: readonly ValueChange[] }) {
  return (
    <ul class="error-list">
      {values.map((change, place) => (
        <li key={place} class="breaks">
          {change.label}: <Value of={change} />
        </li>
      ))}
    </ul>
  );
}

function Value({ of: { before, after, isKept } }: { of: ValueChange }): ComponentChildren {
  const inList = isKept ? null : listChange(before, after);
  if (inList) return listChangeWords(inList.more, inList.without);
  const here = valueWords(before);
  const there = valueWords(after);
  if (isKept) {
    return (
      <>
        <strong>{here}</strong> {text.stays} {there}
      </>
    );
  }
  return (
    <>
      <del>{here}</del> <span aria-hidden="true">→</span>
      <span class="unseen"> {text.becomes} </span> <ins>{there}</ins>
    </>
  );
}
