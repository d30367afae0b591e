import { useState } from "preact/hooks";
import { useResource } from "../api/resource";
import { TextField } from "../parts/field";
import { FormDialog } from "../parts/form-dialog";
import { Loaded } from "../parts/loading";
import { firstHourText as text } from "../text/en/first-hour";
import { readDataFolder, saveDataFolder } from "./state";

const LABELS = { dataBasePath: text.folder };

interface Props {
  onSaved: () => Promise<void>;
  onClose: () => void;
}

/** Ask for the data folder; the service looks whether it is there, can be written, and is nobody else's. */
export function FolderDialog({ onSaved, onClose }: Props) {
  const now = useResource(readDataFolder, []);
  const [typed, setTyped] = useState<string | null>(null);
  const seen = now.data.value;
  const path = typed ?? seen?.path ?? "";
  return (
    <FormDialog
      title={text.steps.STORAGE}
      verb={text.saveFolder}
      labels={LABELS}
      isWaiting={seen === null}
      onClose={onClose}
      onSubmit={async () => {
        if (seen) await saveDataFolder(path, seen.state);
        await onSaved();
      }}
    >
      {(errors) => (
        <Loaded of={now}>
          {() => (
            <TextField
              name="dataBasePath"
              label={text.folder}
              help={text.folderHelp}
              error={errors.get("dataBasePath")}
              required
              isCode
              value={path}
              onInput={setTyped}
            />
          )}
        </Loaded>
      )}
    </FormDialog>
  );
}
