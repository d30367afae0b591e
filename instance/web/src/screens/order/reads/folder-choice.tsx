import { Button } from "../../../parts/button";
import { CheckField } from "../../../parts/choice-fields";
import { Icon } from "../../../parts/icon";
import { Time } from "../../../parts/time";
import { linkText as text } from "../../../text/en/reads";
import type { Disk } from "./state";

interface Props {
  disk: Disk;
  below: boolean;
  onChoose: (place: { folder: string; below: boolean }) => void;
}

/** The way down to a folder below the data folder. */
export function FolderChoice({ disk: { folder, folders, files, hasMore }, below, onChoose }: Props) {
  const parts = folder === "" ? [] : folder.split("/");
  return (
    <div class="stack-tight">
      <nav class="line" aria-label={text.folder}>
        <Button look="quiet" icon="folder" onClick={() => onChoose({ folder: "", below: false })}>
          {text.dataFolder}
        </Button>
        {parts.map((part, place) => (
          <span key={parts.slice(0, place + 1).join("/")} class="line">
            <Icon name="next" />
            <Button
              look="quiet"
              onClick={() => onChoose({ folder: parts.slice(0, place + 1).join("/"), below: false })}
            >
              {part}
            </Button>
          </span>
        ))}
      </nav>
      {folders.length > 0 && (
        <ul class="reads-folders" aria-label={text.folders}>
          {folders.map(({ name, path, changedAt }) => (
            <li key={path}>
              <Button look="quiet" icon="folder" onClick={() => onChoose({ folder: path, below: false })}>
                {name}
              </Button>{" "}
              <span class="muted">
                <Time at={changedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <CheckField
        name="below"
        label={text.below}
        isChecked={below}
        onChange={(next) => onChoose({ folder, below: next })}
      />
      <p class="muted" role="status">
        {text.files(files.length)} {hasMore && text.hasMore}
      </p>
    </div>
  );
}
