import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

interface Props {
  /** What the part of the page is called. */
  label: string;
  /** What is said while files are above it. */
  dropNow: string;
  /** Nothing is taken now. */
  isOff: boolean;
  onDrop: (dropped: DataTransfer) => void;
  children: ComponentChildren;
}

const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") === true;

/** A part of the page that takes files anywhere. A file that is let go beside it does not replace the page. */
export function DropZone({ label, dropNow, isOff, onDrop, children }: Props) {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const keep = (event: DragEvent): void => {
      if (holdsFiles(event)) event.preventDefault();
    };
    addEventListener("dragover", keep, { signal: stop.signal });
    addEventListener("drop", keep, { signal: stop.signal });
    return () => stop.abort();
  }, []);
  const isShown = isOver && !isOff;
  return (
    <section
      class={isShown ? "stack drop-zone drop-over" : "stack drop-zone"}
      aria-label={label}
      onDragOver={(event) => holdsFiles(event) && setIsOver(true)}
      onDragLeave={(event) => {
        const to = event.relatedTarget;
        if (!(to instanceof Node) || !event.currentTarget.contains(to)) setIsOver(false);
      }}
      onDrop={(event) => {
        setIsOver(false);
        if (!isOff && holdsFiles(event) && event.dataTransfer) onDrop(event.dataTransfer);
      }}
    >
      {isShown && (
        <p class="drop-now" aria-hidden="true">
          {dropNow}
        </p>
      )}
      {children}
    </section>
  );
}
