import type { Order } from "../state";
import { isNanopore, parameterOf } from "./parameters";
import { PlacesSheet } from "./places-sheet";
import { type BarcodeSet, type Run, readBarcodeSets, readPlaces, readSamples } from "./state";

/** Read the samples of an order and their places in a run. */
export async function openPlaces(run: Run, order: Order, signal: AbortSignal): Promise<PlacesSheet> {
  const [samples, places, sets] = await Promise.all([
    readSamples(order.id, signal),
    readPlaces(run, signal),
    readBarcodeSets().catch(() => []),
  ]);
  const format = isNanopore(run.platform ?? order.platform) ? "minknow" : "illumina";
  return new PlacesSheet(run, samples, places, setOf(run, sets), format);
}

/** The set that a run names, or that of its kit: which barcodes are offered. The check knows by itself. */
function setOf(run: Run, sets: readonly BarcodeSet[]): BarcodeSet | null {
  const named = parameterOf(run, "barcodeSetId");
  const kits = parameterOf(run, "kit").toUpperCase().split(/\s+/).reverse();
  const ofKit = kits.flatMap((kit) => sets.filter((set) => set.kits.includes(kit)));
  return sets.find(({ id }) => id === named) ?? ofKit[0] ?? null;
}
