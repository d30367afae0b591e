import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { plansText as text } from "../../../text/en/plans";

interface Props {
  onFile: (file: File) => void;
  isOff: boolean;
  children: ComponentChildren;
}

const isPlan = ({ name }: File): boolean => name.toLowerCase().endsWith(".xlsx");
const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") === true;

/** A tab that takes an Excel file anywhere. A file that is let go beside it does not replace the page. */
export function DropZone({ onFile, isOff, children }: Props) {
  const [isOver, setIsOver] = useState(false);
  const [isWrong, setIsWrong] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const keep = (event: DragEvent): void => {
      if (holdsFiles(event)) event.preventDefault();
    };
    addEventListener("dragover", keep, { signal: stop.signal });
    addEventListener("drop", keep, { signal: stop.signal });
    return () => stop.abort();
  }, []);
  const drop = (event: DragEvent): void => {
    setIsOver(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (isOff || files.length === 0) return;
    const plan = files.find(isPlan);
    setIsWrong(plan === undefined);
    if (plan !== undefined) onFile(plan);
  };
  return (
    <section
      class={isOver && !isOff ? "stack plans plans-over" : "stack plans"}
      aria-label={text.plans}
      onDragOver={(event) => holdsFiles(event) && setIsOver(true)}
      onDragLeave={(event) => {
        const to = event.relatedTarget;
        if (!(to instanceof Node) || !event.currentTarget.contains(to)) setIsOver(false);
      }}
      onDrop={drop}
    >
      <p class={isWrong ? "notice notice-wait" : "unseen"} role="status">
        {isWrong && text.notExcel}
      </p>
      {isOver && !isOff && (
        <p class="plans-drop" aria-hidden="true">
          {text.dropNow}
        </p>
      )}
      {children}
    </section>
  );
}
