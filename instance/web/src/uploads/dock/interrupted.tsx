import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { user } from "../../session";
import { dockText as text } from "../../text/en/uploads";
import { dropSet, isUploading, type KeptSet, keptSets } from "../../uploads-kept";
import { goOnWith } from "../go-on";
import { uploads } from "../state";

const sets = signal<readonly KeptSet[]>([]);

async function readSets(): Promise<void> {
  const person = user.value?.id;
  const found = await keptSets().catch(() => []);
  sets.value = found.filter((set) => set.person === person);
}

/** Uploads that a reload or a crash has ended: one click opens their folder again. */
export function Interrupted() {
  useEffect(() => void readSets(), [isUploading.value]);
  const mine = new Set(uploads.value.map(({ setId }) => setId));
  return (
    <>
      {sets.value
        .filter(({ id }) => !mine.has(id))
        .map((set) => (
          <InterruptedSet key={set.id} set={set} />
        ))}
    </>
  );
}

function InterruptedSet({ set }: { set: KeptSet }) {
  const going = useAction(() => goOnWith(set));
  const forget = async (): Promise<void> => {
    await dropSet(set.id);
    await readSets();
  };
  return (
    <div class="notice notice-wait line">
      <p>{text.interrupted(set.orderNumber, set.files)}</p>
      <Button look="main" isBusy={going.isRunning.value} onClick={() => void going.run()}>
        {text.goOn}
      </Button>
      <Button onClick={() => void forget()}>{text.forget}</Button>
      {going.problem.value && <p role="alert">{going.problem.value.message}</p>}
    </div>
  );
}
