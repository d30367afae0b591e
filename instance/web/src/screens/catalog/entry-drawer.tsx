import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { DemoNote } from "../../parts/demo-note";
import { Dialog } from "../../parts/dialog";
import { ProblemNotice } from "../../parts/problem";
import { DifferenceList } from "../../registry-updates/difference-list";
import { valueChanges } from "../../registry-updates/differences";
import { demoRefusal } from "../../session";
import { catalogText as text } from "../../text/en/catalog";
import { list } from "../../text/format";
import { From, mayBeWithdrawn, OfferButton, OfferState, type Row, toggle } from "./columns";
import { EditDialog } from "./edit-dialog";
import { FIELDS } from "./entry-form";
import { type Collection, type Item, linesOf, nameOf, naming, partsOf } from "./items";
import { type Catalog, saveItem } from "./state";

interface Props {
  catalog: Catalog;
  collection: Collection;
  row: Row;
  onChange: (words: string) => Promise<void>;
  onClose: () => void;
}

/** One entry: what it says, where it comes from, and everything that an admin does with it. */
export function EntryDrawer({ catalog, collection, row, onChange, onClose }: Props) {
  const { item, standing } = row;
  const image = standing?.image;
  return (
    <Dialog title={nameOf(item)} onClose={onClose} isDrawer>
      <div class="stack">
        {image && (
          <img class="catalog-picture" src={image.path} width={image.width} height={image.height} alt="" />
        )}
        <p class="line">
          <code>{item.id}</code>
          <From standing={standing} />
          {mayBeWithdrawn(collection) && <OfferState row={row} />}
        </p>
        <Origin catalog={catalog} collection={collection} row={row} />
        <DemoNote />
        <Acts catalog={catalog} collection={collection} row={row} onChange={onChange} onClose={onClose} />
        <Values collection={collection} item={item} catalog={catalog} />
      </div>
    </Dialog>
  );
}

const APART = ["id", "name", "available", "localOverrides", "image", "icon", "order"];

function Values({ collection, item, catalog }: { collection: Collection; item: Item; catalog: Catalog }) {
  const keys = new Set([...FIELDS[collection].map(({ key }) => key), ...Object.keys(item)]);
  return (
    <dl class="facts">
      {[...keys]
        .filter((key) => key in item && !APART.includes(key))
        .map((key) => (
          <Fragment key={key}>
            <dt>{text.label(key)}</dt>
            <dd>
              {linesOf(key, item[key], catalog.items).map((line, place) => (
                <span key={place} class="catalog-line">
                  {text.value(line)}
                </span>
              ))}
            </dd>
          </Fragment>
        ))}
    </dl>
  );
}

type OriginProps = Pick<Props, "catalog" | "collection" | "row">;

function Origin({ catalog, collection, row: { item, standing } }: OriginProps) {
  const origin = standing?.origin ?? null;
  if (origin === null) return <p class="muted">{text.unknownOriginWhy}</p>;
  if (origin === "own") return <p class="muted">{text.ownHere}</p>;
  if (origin === "registry") return <p class="muted">{text.fromRegistry(catalog.config.version)}</p>;
  const offered = standing?.offered ?? item;
  const values = valueChanges({ ...item, localOverrides: null }, offered, String).flatMap(
    ({ label: key, before, after }) => partsOf({ key, before, after, kept: true }, text.label),
  );
  const name = `${text.kind[collection]}: ${nameOf(item)}`;
  if (values.length === 0) return <p class="muted">{text.changedNothing}</p>;
  return (
    <>
      <p class="muted">{item.localOverrides === true ? text.changedHere : text.changedUnmarked}</p>
      <DifferenceList of={[{ id: item.id, name, kind: "kept", values }]} />
    </>
  );
}

type Question = "take-back" | "remove";

function Acts({ catalog, collection, row: { item, standing }, onChange, onClose }: Props) {
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
