import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { liveText as text } from "../../../text/en/live";

interface Props {
  /** The name of the figure. */
  title: string;
  columns: readonly string[];
  /** What the figure shows, as text: it is made when somebody opens the table. */
  rows: () => readonly (readonly string[])[];
  children: ComponentChildren;
  isEmpty: boolean;
}

/** A figure, and the same as a table: for screen readers, and for copying. */
export function Figure({ title, columns, rows, children, isEmpty }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <figure class="card stack-tight live-figure" aria-label={title}>
      <figcaption>
        <h2 class="live-title">{title}</h2>
      </figcaption>
      {isEmpty ? <p class="muted">{text.noReads}</p> : children}
      {!isEmpty && (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{text.asTable}</summary>
          {isOpen && <Rows title={title} columns={columns} rows={rows()} />}
        </details>
      )}
    </figure>
  );
}

function Rows({
  title,
  columns,
  rows,
}: {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}) {
  return (
    <section
      class="table-box live-rows"
      aria-label={title}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
    >
      <table class="table" aria-label={title}>
        <thead>
          <tr>
            {columns.map((column, place) => (
              <th key={column} scope="col" class={place > 0 ? "number" : undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row[0]}>
              {row.map((cell, place) => (
                <td key={columns[place]} class={place > 0 ? "number" : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
