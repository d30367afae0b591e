import type { Barcode, Metrics } from "./state";

/** The yield along the time: places in seconds since 1970, and all so far and per minute at each. */
export function yieldSeries({ yield: points, minutesPerPoint }: Metrics): {
  x: number[];
  total: number[];
  perMinute: number[];
} {
  const width = 60 * minutesPerPoint;
  const x: number[] = [];
  const total: number[] = [];
  const perMinute: number[] = [];
  let sum = 0;
  for (const point of points) {
    const start = Date.parse(point.start) / 1000;
    // A stretch in which nothing came is no point of the answer, and is a fall to nothing here.
    const before = x.at(-1);
    if (before !== undefined && start - before > width) {
      for (const place of new Set([before + width, start - width])) {
        x.push(place);
        total.push(sum);
        perMinute.push(0);
      }
    }
    sum += point.bases;
    x.push(start);
    total.push(sum);
    perMinute.push(point.basesPerMinute);
  }
  return { x, total, perMinute };
}

/** Lengths along powers of two, which is how wide their steps are. */
export function lengthSeries({ readLengths }: Metrics): { x: number[]; reads: number[] } {
  return {
    x: readLengths.map(({ fromLength }) => Math.log2(Math.max(1, fromLength))),
    reads: readLengths.map(({ reads }) => reads),
  };
}

export function qualitySeries({ readQualities }: Metrics): { x: number[]; reads: number[] } {
  return {
    x: readQualities.map(({ fromQuality }) => fromQuality),
    reads: readQualities.map(({ reads }) => reads),
  };
}

/** Barcodes by their bases, most first; while somebody points at them they stay in the order that they had. */
export function ranked(barcodes: readonly Barcode[], held: readonly string[] | null): Barcode[] {
  const sorted = barcodes.toSorted((one, other) => other.bases - one.bases);
  if (held === null) return sorted;
  const place = new Map(held.map((barcode, at) => [barcode, at]));
  return sorted.toSorted(
    (one, other) => (place.get(one.barcode) ?? held.length) - (place.get(other.barcode) ?? held.length),
  );
}
