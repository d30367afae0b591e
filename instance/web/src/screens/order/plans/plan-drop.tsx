import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { DropZone } from "../../../parts/drop-zone";
import { plansText as text } from "../../../text/en/plans";

interface Props {
  onFile: (file: File) => void;
  isOff: boolean;
  children: ComponentChildren;
}

const isPlan = ({ name }: File): boolean => name.toLowerCase().endsWith(".xlsx");

/** A tab that takes an Excel file anywhere. */
export function PlanDrop({ onFile, isOff, children }: Props) {
  const [isWrong, setIsWrong] = useState(false);
  return (
    <DropZone
      label={text.plans}
      dropNow={text.dropNow}
      isOff={isOff}
      onDrop={({ files }) => {
        const plan = [...files].find(isPlan);
        setIsWrong(plan === undefined);
        if (plan !== undefined) onFile(plan);
      }}
    >
      <p class={isWrong ? "notice notice-wait" : "unseen"} role="status">
        {isWrong && text.notExcel}
      </p>
      {children}
    </DropZone>
  );
}
