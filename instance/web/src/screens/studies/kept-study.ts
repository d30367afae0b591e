/** A study that is being begun, as it is kept in the browser. */
import { isRecord } from "../../questions/form";
import { asTexts, isSetAside, type SetAside, sorted, withMore } from "../../questions/set-aside";
import { questionsOf } from "./current-form";
import { type Details, isDetails } from "./details";
import type { StudyForm } from "./state";

interface KeptStudy {
  readonly details: Details;
  /** What its questions were called. */
  readonly labels: Readonly<Record<string, string>>;
  readonly setAside: readonly SetAside[];
}

export function isKeptStudy(value: unknown): value is KeptStudy {
  return (
    isRecord(value) &&
    isDetails(value.details) &&
    isRecord(value.labels) &&
    Object.values(value.labels).every((label) => typeof label === "string") &&
    isSetAside(value.setAside)
  );
}

/** What of it has no place in a form, with what had none before. */
export function leftOf({ details, labels, setAside }: KeptStudy, form: StudyForm): readonly SetAside[] {
  return withMore(setAside, asTexts(sorted(details.metadata, questionsOf(form)).left, labels));
}

/** What of it has a place in a form. */
export function fitted({ details }: KeptStudy, form: StudyForm): Details {
  return { ...details, metadata: sorted(details.metadata, questionsOf(form)).taken };
}
