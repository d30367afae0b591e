/** What of a study's metadata is not stored yet, as it is kept in the browser. */

import { isSetAside, type SetAside } from "../../questions/set-aside";

/** Texts by the id of a sample, then by the key of a column. */
export type Texts = Record<string, Record<string, string>>;

export interface KeptTexts {
  readonly texts: Texts;
  /** What was stored of these cells when they were typed. */
  readonly bases: Texts;
  /** Units that were chosen for whole columns. */
  readonly units: Readonly<Record<string, string>>;
}

/** With what was written in columns that are no longer asked, until somebody dismisses it. */
export interface KeptSheet extends KeptTexts {
  /** What the columns were called, by their keys. Decision: G1121. */
  readonly labels: Readonly<Record<string, string>>;
  readonly setAside: readonly SetAside[];
}

export function isKeptSheet(value: unknown): value is KeptSheet {
  return (
    isKeptTexts(value) &&
    "labels" in value &&
    isMapOfTexts(value.labels) &&
    "setAside" in value &&
    isSetAside(value.setAside)
  );
}

function isKeptTexts(value: unknown): value is KeptTexts {
  return (
    isMap(value) &&
    "texts" in value &&
    "bases" in value &&
    "units" in value &&
    isTexts(value.texts) &&
    isTexts(value.bases) &&
    isMapOfTexts(value.units)
  );
}

const isTexts = (value: unknown): value is Texts => isMap(value) && Object.values(value).every(isMapOfTexts);

const isMapOfTexts = (value: unknown): value is Record<string, string> =>
  isMap(value) && Object.values(value).every((text) => typeof text === "string");

const isMap = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
