import { api, given } from "../../../api/client";
import type { components } from "../../../api/schema";
import type { Order, Sample } from "../state";

type Schemas = components["schemas"];
export type Stream = Schemas["instance.streams"]["runs"][number];
export type Metrics = Schemas["instance.stream-metrics"];
export type Barcode = Metrics["barcodes"][number];
export type StreamEvent = Schemas["instance.stream-events"]["events"][number];
export type Options = Schemas["instance.stream-start-options"];
export type Folder = Options["folders"][number];
export type Plan = Schemas["instance.stream-collection-plan"]["samples"];

export const EVENTS_SHOWN = 50;
/** What reads without a barcode are listed under. */
export const UNKNOWN = "(unknown)";
const UNCLASSIFIED = "unclassified";

export async function readStreams(order: Order, signal: AbortSignal): Promise<Stream[]> {
  const path = { order_id: order.id };
  const { runs } = await given(api.GET("/api/orders/{order_id}/stream", { params: { path }, signal }));
  return runs;
}

const pathOf = (stream: Stream) => ({ order_id: stream.orderId, stream_run_id: stream.id });

export async function readMetrics(stream: Stream, signal: AbortSignal): Promise<Metrics> {
  const params = { path: pathOf(stream) };
  return given(api.GET("/api/orders/{order_id}/stream/{stream_run_id}/metrics", { params, signal }));
}

/** The newest events, newest first. */
export async function readEvents(stream: Stream, signal: AbortSignal): Promise<StreamEvent[]> {
  const params = { path: pathOf(stream), query: { limit: EVENTS_SHOWN } };
  const { events } = await given(
    api.GET("/api/orders/{order_id}/stream/{stream_run_id}/events", { params, signal }),
  );
  return events;
}

export async function readPlan(stream: Stream, signal: AbortSignal): Promise<Plan> {
  const params = { path: pathOf(stream) };
  const { samples } = await given(
    api.GET("/api/orders/{order_id}/stream/{stream_run_id}/collection", { params, signal }),
  );
  return samples;
}

export async function readOptions(orderId: string, signal: AbortSignal): Promise<Options> {
  const params = { path: { order_id: orderId } };
  return given(api.GET("/api/orders/{order_id}/stream/options", { params, signal }));
}

/** Watch a folder, with the barcodes of the run plan; returns the id of the stream. */
export async function startStream(
  orderId: string,
  folder: Folder,
  map: Options["barcodeMap"],
): Promise<string> {
  const { outputDir, deviceId, flowCellId, minknowRunId } = folder;
  const body = { outputDir, deviceId, flowCellId, minknowRunId, barcodeMap: map };
  const params = { path: { order_id: orderId } };
  const { id } = await given(api.POST("/api/orders/{order_id}/stream", { params, body }));
  return id;
}

export async function stopStream(stream: Stream): Promise<void> {
  const params = { path: pathOf(stream) };
  await given(api.POST("/api/orders/{order_id}/stream/{stream_run_id}/stop", { params }));
}

/** How many samples are offered at once; others are found by their names. */
export const SAMPLES_OFFERED = 200;

export async function readSamples(orderId: string, q: string, signal: AbortSignal): Promise<Sample[]> {
  const query = { pageSize: SAMPLES_OFFERED, ...(q && { q }) };
  const params = { path: { order_id: orderId }, query };
  return (await given(api.GET("/api/orders/{order_id}/samples", { params, signal }))).samples;
}

export async function collect(stream: Stream, sampleIds: string[]): Promise<void> {
  const params = { path: pathOf(stream) };
  await given(
    api.POST("/api/orders/{order_id}/stream/{stream_run_id}/collect", { params, body: { sampleIds } }),
  );
}

/** Give a barcode to a sample; refused when somebody else has changed the map that is shown. */
export async function assign(stream: Stream, barcode: string, sampleCode: string): Promise<void> {
  const barcodeMap = { ...stream.barcodeMap, [barcode]: sampleCode };
  const body = { barcodeMap, baseBarcodeMap: stream.barcodeMap };
  const params = { path: pathOf(stream) };
  await given(api.PATCH("/api/orders/{order_id}/stream/{stream_run_id}", { params, body }));
}

/** Barcodes whose reads belong to nobody, although somebody could be named. */
export const isUnassigned = ({ barcode, sampleId }: Barcode): boolean =>
  sampleId === null && barcode !== UNKNOWN && barcode !== UNCLASSIFIED;

export const isUnclassified = ({ barcode }: Barcode): boolean =>
  barcode === UNKNOWN || barcode === UNCLASSIFIED;

/** What a person calls the sample of a barcode. */
export const nameOf = ({
  sampleAlias,
  sampleCode,
}: Pick<Barcode, "sampleAlias" | "sampleCode">): string | null => sampleAlias ?? sampleCode;

/** The last part of a folder, which is what it is called. */
export const lastOf = (folder: string): string => folder.split("/").findLast(Boolean) ?? folder;

/** Whose read can still be asked for: also again, after it failed. */
export const isOpen = ({ state }: Plan[number]): boolean => state === "ready" || state === "failed";
