import { Fragment } from "preact";

/** A sum in a cell: where there is no room for all of it, what is not known of it stands on a line of its own. */
export function Sum({ of }: { of: readonly string[] }) {
  return (
    <span class="numbers-sum">
      {of.map((part, place) => (
        <Fragment key={part}>
          <span>
            {part}
            {place < of.length - 1 && ","}
          </span>{" "}
        </Fragment>
      ))}
    </span>
  );
}
