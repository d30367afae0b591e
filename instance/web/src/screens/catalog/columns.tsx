import type { Action } from "../../api/resource";
import { Button } from "../../parts/button";
import { Chip } from "../../parts/chip";
import type { Column } from "../../parts/table";
import { demoRefusal } from "../../session";
import { catalogText as text } from "../../text/en/catalog";
import { type Collection, type Item, nameOf, type Standing } from "./items";
import { saveItem } from "./state";

export interface Row {
  readonly item: Item;
  readonly standing: Standing | undefined;
}

/** What the kinds are told apart by, after the name. */
const DETAIL: Readonly<Record<Collection, string>> = {
  technologies: "manufacturer",
  devices: "manufacturer",
  flowCells: "sku",
  kits: "sku",
  software: "category",
  barcodeSchemes: "chemistry",
  barcodeSets: "schemeId",
};

/** Barcodes are always offered: what is chosen is the kit. */
export const mayBeWithdrawn = (collection: Collection): boolean =>
  collection !== "barcodeSchemes" && collection !== "barcodeSets";

export function columnsOf(
  collection: Collection,
  addressOf: (id: string) => string,
  toggling: Action<[Item]>,
): Column<Row>[] {
  const detail = DETAIL[collection];
  const columns: Column<Row>[] = [
    {
      id: "name",
      label: text.label("name"),
      cell: (row) => <Name row={row} href={addressOf(row.item.id)} />,
    },
    {
      id: "detail",
      label: text.label(detail),
      cell: ({ item }) => item[detail] !== undefined && text.value(item[detail]),
      isMinor: true,
    },
    { id: "from", label: text.from, cell: ({ standing }) => <From standing={standing} /> },
  ];
  if (!mayBeWithdrawn(collection)) return columns;
  return [
    ...columns,
    { id: "offered", label: text.offered, cell: (row) => <OfferState row={row} />, isMinor: true },
    {
      id: "act",
      label: text.offer,
      cell: ({ item }) => (
        <OfferButton item={item} isBusy={toggling.isRunning.value} onToggle={() => void toggling.run(item)} />
      ),
    },
  ];
}

function Name({ row: { item, standing }, href }: { row: Row; href: string }) {
  const image = standing?.image;
  return (
    <span class="catalog-name">
      {image && (
        <img
          class="catalog-thumb"
          src={image.path}
          width={image.width}
          height={image.height}
          alt=""
          loading="lazy"
        />
      )}
      <a class="roomy" href={href}>
        {nameOf(item)}
      </a>
    </span>
  );
}

export function From({ standing }: { standing: Standing | undefined }) {
  const origin = standing?.origin ?? null;
  if (origin === null)
    return (
      <span class="muted" title={text.unknownOriginWhy}>
        {text.unknownOrigin}
      </span>
    );
  if (origin === "registry") return <span>{text.origins.registry}</span>;
  return <Chip tone={origin === "changed" ? "wait" : "run"}>{text.origins[origin]}</Chip>;
}

export function OfferState({ row: { item, standing } }: { row: Row }) {
  if (standing?.selectable) return <Chip tone="ok">{text.offered}</Chip>;
  return <Chip>{item.available === true ? text.announced : text.notOffered}</Chip>;
}

interface OfferProps {
  item: Item;
  isBusy: boolean;
  onToggle: () => void;
}

/** Offer an entry or withdraw it; each is undone by the other. */
export function OfferButton({ item, isBusy, onToggle }: OfferProps) {
  const name = nameOf(item);
  const isOffered = item.available === true;
  return (
    <Button
      label={isOffered ? text.withdrawOf(name) : text.offerOf(name)}
      refusal={demoRefusal.value}
      isBusy={isBusy}
      onClick={onToggle}
    >
      {isOffered ? text.withdraw : text.offer}
    </Button>
  );
}

/** Save the other choice, and say what holds then. */
export async function toggle(collection: Collection, item: Item): Promise<string> {
  const isOffered = item.available === true;
  await saveItem(collection, item, { ...item, available: !isOffered });
  return isOffered ? text.withdrawnNow(nameOf(item)) : text.offeredNow(nameOf(item));
}
