import { settingsText as text } from "../../text/en/settings";
import { size } from "../../text/format";
import { recordOf } from "./edits";
import type { Setting } from "./state";

/** A value as it is told, beside another one. */
export function inWords({ unit, without }: Setting, value: unknown): string {
  if (value === null || value === undefined || value === "") return without ?? text.nothing;
  if (typeof value === "boolean") return value ? text.on : text.off;
  if (typeof value === "number")
    return unit === "bytes" ? size(value) : [String(value), unit].filter(Boolean).join(" ");
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return Object.keys(recordOf(value)).join(", ") || text.nothing;
  return (
    value.map((one) => (typeof one === "string" ? one : String(recordOf(one).name ?? ""))).join(", ") ||
    text.nothing
  );
}

/** What stands below the name of a setting. */
export function helpOf({ meaning, minimum, maximum, without, kind, unit }: Setting): string {
  const most = maximum !== null && Number.isSafeInteger(maximum) ? maximum : null;
  const hasRange = unit !== "bytes" && (minimum !== null || most !== null);
  return [
    meaning,
    hasRange && text.range(minimum, most),
    kind !== "secret" && kind !== "choice" && without !== null && text.empty(without),
  ]
    .filter(Boolean)
    .join(" ");
}

/** What holds until somebody changes it. What an empty one means is said before. */
export function presetOf(setting: Setting): string | null {
  const { kind, default: preset } = setting;
  if (kind === "secret") return null;
  const isList = kind === "lines" || kind === "records" || kind === "named-records";
  const isEmpty = isList ? Object.keys(Object(preset)).length === 0 : preset === null || preset === "";
  return text.preset(isEmpty && kind !== "choice" ? text.emptyOne : inWords(setting, preset));
}

/** What a control of one line or more says, as it is saved. */
export function readText({ kind, mayBeNull }: Setting, typed: string): unknown {
  const plain = typed.trim();
  if (kind === "lines") {
    const lines = typed.split("\n").map((line) => line.trim());
    const found = lines.filter((line) => line !== "");
    return found.length === 0 && mayBeNull ? null : found;
  }
  if (plain === "") return mayBeNull ? null : kind === "text" || kind === "long-text" ? "" : null;
  if (kind !== "whole" && kind !== "number") return kind === "long-text" ? typed : plain;
  const number = Number(plain.replaceAll(/\s/g, "").replace(",", "."));
  return Number.isFinite(number) ? number : plain;
}

export function writtenText({ kind }: Setting, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (kind === "lines" && Array.isArray(value)) return value.join("\n");
  return String(value);
}
