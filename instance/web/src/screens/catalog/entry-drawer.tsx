import { Fragment } from "preact";
import { DemoNote } from "../../parts/demo-note";
import { Dialog } from "../../parts/dialog";
import { DifferenceList } from "../../registry-updates/difference-list";
import { valueChanges } from "../../registry-updates/differences";
import { catalogText as text } from "../../text/en/catalog";
import { From, mayBeWithdrawn, OfferState, type Row } from "./columns";
import { EntryActions } from "./entry-actions";
import { FIELDS } from "./entry-form";
import { type Collection, type Item, linesOf, nameOf, partsOf } from "./items";
import type { Catalog } from "./state";

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
        <EntryActions
          catalog={catalog}
          collection={collection}
          row={row}
          onChange={onChange}
          onClose={onClose}
        />
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
