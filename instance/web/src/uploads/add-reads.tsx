import "../style/parts/uploads.css";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../parts/button";
import { DropZone } from "../parts/drop-zone";
import { tab } from "../screen";
import { chooseText as text } from "../text/en/uploads";
import { type Chosen, filesOfDrop, filesOfInput, type Handle } from "./choose/tree";
import { HalfWayNotice } from "./half-way";
import type { PlanProps } from "./plan/dialog";

/** Fetched when somebody has chosen files. */
const PlanDialog = tab<PlanProps>(async () => ({ Tab: (await import("./plan/dialog")).PlanDialog }));

interface Props {
  orderId: string;
  orderNumber: string;
  /** Why nothing can be added; null when it can. */
  refusal: string | null;
  /** How many uploads of the order are not filed. */
  openUploads: number;
  /** What stands beside the button. */
  beside?: ComponentChildren;
  children: ComponentChildren;
}

interface Choice {
  chosen: Promise<Chosen>;
  handles: Promise<Handle[]>;
}

/** What reads are added to: files are chosen by a button, or dropped anywhere on it. */
export function AddReads({ orderId, orderNumber, refusal, openUploads, beside, children }: Props) {
  const [choice, setChoice] = useState<Choice | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const choose = (files: FileList | null): void => {
    if (files && files.length > 0)
      setChoice({ chosen: Promise.resolve(filesOfInput(files)), handles: Promise.resolve([]) });
  };
  return (
    <DropZone
      label={text.zone}
      dropNow={text.dropNow}
      isOff={refusal !== null}
      onDrop={(dropped) => setChoice(filesOfDrop(dropped))}
    >
      <div class="stack-tight">
        <div class="line">
          <Button
            look="main"
            icon="add"
            refusal={refusal}
            isExpanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            {text.add}
          </Button>
          {beside}
        </div>
        {isOpen && (
          <div class="card stack-tight">
            <div class="line">
              <FileChoice label={text.files} onChoose={choose} />
              <FileChoice label={text.folder} onChoose={choose} isFolder />
            </div>
            <p class="muted">{text.help}</p>
          </div>
        )}
      </div>
      {openUploads > 0 && <HalfWayNotice orderId={orderId} openUploads={openUploads} />}
      {children}
      {choice && (
        <PlanDialog
          orderId={orderId}
          orderNumber={orderNumber}
          chosen={choice.chosen}
          handles={choice.handles}
          onClose={() => setChoice(null)}
          onStarted={() => {
            setChoice(null);
            setIsOpen(false);
          }}
        />
      )}
    </DropZone>
  );
}

interface FileChoiceProps {
  label: string;
  onChoose: (files: FileList | null) => void;
  isFolder?: boolean;
}

function FileChoice({ label, onChoose, isFolder }: FileChoiceProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Preact's types do not know the attribute, which every browser has.
    if (input.current && isFolder) input.current.webkitdirectory = true;
  }, []);
  return (
    <label class="uploads-choice">
      <span>{label}</span>
      <input
        ref={input}
        type="file"
        multiple
        onChange={(event) => {
          onChoose(event.currentTarget.files);
          // The same folder can be chosen again.
          event.currentTarget.value = "";
        }}
      />
    </label>
  );
}
