import { useState } from "preact/hooks";
import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { ProblemNotice } from "../../parts/problem";
import { demoRefusal } from "../../session";
import { catalogText as text } from "../../text/en/catalog";
import { list } from "../../text/format";
import { mayBeWithdrawn, OfferButton, type Row, toggle } from "./columns";
import { EditDialog } from "./edit-dialog";
import { type Collection, nameOf, naming } from "./items";
import { type Catalog, saveItem } from "./state";

interface Props {
  catalog: Catalog;
  collection: Collection;
  row: Row;
  onChange: (words: string) => Promise<void>;
  onClose: () => void;
}

type Question = "take-back" | "remove";

/** What an admin does with an entry: edit, offer or withdraw it, take changes back, remove it. */
export function EntryActions({ catalog, collection, row: { item, standing }, onChange, onClose }: Props) {
  const [isEditing, setEditing] = useState(false);
  const [asked, ask] = useState<Question | null>(null);
  const toggling = useAction(async () => onChange(await toggle(collection, item)));
  const problem = toggling.problem.value;
  const name = nameOf(item);
  const others = naming(catalog.items, item).map(nameOf);
  const offered = standing?.origin === "changed" ? standing.offered : null;
  return (
    <>
      <div class="line">
        <Button icon="edit" refusal={demoRefusal.value} onClick={() => setEditing(true)}>
          {text.edit}
        </Button>
        {mayBeWithdrawn(collection) && (
          <OfferButton item={item} isBusy={toggling.isRunning.value} onToggle={() => void toggling.run()} />
        )}
        {offered && (
          <Button refusal={demoRefusal.value} onClick={() => ask("take-back")}>
            {text.takeBack}
          </Button>
        )}
        {standing?.origin === "own" && (
          <Button look="danger" icon="trash" refusal={demoRefusal.value} onClick={() => ask("remove")}>
            {text.remove}
          </Button>
        )}
      </div>
      {problem && <ProblemNotice problem={problem} onTryAgain={() => void onChange("")} />}
      {isEditing && (
        <EditDialog
          catalog={catalog}
          collection={collection}
          item={item}
          onSaved={onChange}
          onClose={() => setEditing(false)}
        />
      )}
      {asked === "take-back" && offered && (
        <ConfirmDialog
          title={text.takeBackTitle(name)}
          verb={text.takeBack}
          isDanger
          onConfirm={async () => {
            await saveItem(collection, item, offered);
            await onChange(text.takenBack(name));
          }}
          onClose={() => ask(null)}
        >
          {text.takeBackWhat}
        </ConfirmDialog>
      )}
      {asked === "remove" && (
        <ConfirmDialog
          title={text.removeTitle(name)}
          verb={text.remove}
          isDanger
          onConfirm={async () => {
            await saveItem(collection, item, null);
            await onChange(text.removed(name));
            onClose();
          }}
          onClose={() => ask(null)}
        >
          {text.removeWhat} {others.length > 0 && text.removeNamed(list(others))}
        </ConfirmDialog>
      )}
    </>
  );
}
