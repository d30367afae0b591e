import { useState } from "preact/hooks";
import { useAction, useResource } from "../../../api/resource";
import { Button } from "../../../parts/button";
import { Dialog } from "../../../parts/dialog";
import { TextField } from "../../../parts/field";
import { Loaded } from "../../../parts/loading";
import { ProblemNotice } from "../../../parts/problem";
import { Time } from "../../../parts/time";
import { text as common } from "../../../text/en/common";
import { liveText as text } from "../../../text/en/live";
import type { Order } from "../state";
import { type Folder, type Options, readOptions, startStream } from "./state";

interface Props {
  order: Order;
  onStarted: (id: string) => Promise<void>;
  onClose: () => void;
}

/** Choose the folder that an instrument writes to. The barcodes are those of the run plan. */
export function StartDialog({ order, onStarted, onClose }: Props) {
  const options = useResource((signal) => readOptions(order.id, signal), [order.id]);
  const [chosen, choose] = useState<Folder | null>(null);
  const start = useAction(async (folder: Folder, map: Options["barcodeMap"]) => {
    await onStarted(await startStream(order.id, folder, map));
    onClose();
  });
  const problem = start.problem.value;
  const found = options.data.value;
  return (
    <Dialog
      title={text.start}
      onClose={onClose}
      isWide
      isWaiting={found === null}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            look="main"
            isBusy={start.isRunning.value}
            refusal={chosen ? null : text.chooseFolder}
            onClick={() => chosen && found && void start.run(chosen, found.barcodeMap)}
          >
            {text.watchFolder}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>{text.startHow}</p>
        <Loaded of={options}>
          {(offered) => (
            <>
              <Folders options={offered} chosen={chosen} onChoose={choose} />
              <PlannedMap options={offered} />
            </>
          )}
        </Loaded>
        {problem && <ProblemNotice problem={problem} />}
      </div>
    </Dialog>
  );
}

interface FoldersProps {
  options: Options;
  chosen: Folder | null;
  onChoose: (folder: Folder) => void;
}

function Folders({ options: { folders, hasMore, root }, chosen, onChoose }: FoldersProps) {
  const [q, setQ] = useState("");
  const wanted = q.trim().toLowerCase();
  const shown = folders.filter(({ name }) => name.toLowerCase().includes(wanted));
  if (folders.length === 0) {
    return (
      <p>
        {text.noFolders} <code>{root}</code>
      </p>
    );
  }
  return (
    <>
      <TextField name="folder" type="search" label={text.findFolder} value={q} onInput={setQ} />
      <fieldset class="live-folders" aria-label={text.folder}>
        {shown.map((folder) => (
          <label key={folder.outputDir} class="live-folder">
            <input
              type="radio"
              name="outputDir"
              checked={folder.outputDir === chosen?.outputDir}
              disabled={folder.watchedForOrder !== null}
              onChange={() => onChoose(folder)}
            />
            <span class="mono">{folder.name}</span>
            <span class="muted">
              {folder.watchedForOrder ? (
                text.watchedFor(folder.watchedForOrder)
              ) : (
                <>
                  {folder.hasOutput && `${text.hasOutput}, `}
                  <Time at={folder.changedAt} />
                </>
              )}
            </span>
          </label>
        ))}
      </fieldset>
      <p class="muted" role="status">
        {shown.length === 0 ? text.noFolderFits : text.folders(shown.length, folders.length)}
        {hasMore && ` ${text.moreFolders}`}
      </p>
    </>
  );
}

function PlannedMap({ options: { barcodes } }: { options: Options }) {
  if (barcodes.length === 0) return <p class="muted">{text.noMap}</p>;
  return (
    <details>
      <summary>{text.map(barcodes.length)}</summary>
      <ul class="live-map">
        {barcodes.map(({ barcode, sampleAlias, sampleCode }) => (
          <li key={barcode}>
            <code>{barcode}</code> {sampleAlias ?? sampleCode}
          </li>
        ))}
      </ul>
    </details>
  );
}
