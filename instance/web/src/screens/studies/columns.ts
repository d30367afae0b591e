/** The columns of a study's metadata: which sample, how complete, then the terms by how much they are asked. */
import { formColumn, textOf } from "../../grid/form-columns";
import type { Column, Kind, Row } from "../../grid/table";
import { text } from "../../text/en/studies";
import type { Checklist, Impact, Sample, StudyForm } from "./state";

export type Level = keyof typeof text.levels;
export const LEVELS = ["mandatory", "recommended", "optional", "form"] as const satisfies readonly Level[];

type Term = Checklist["fields"][number];

/** One column of metadata, and where its values belong. */
export interface Field {
  readonly level: Level;
  readonly column: Column;
  readonly units: readonly string[];
  /** What the checklist asks; null for questions of the facility, which are custom fields. */
  readonly term: Term | null;
}

export const SAMPLE = "\u0000sample";
const STATE = "\u0000state";

const KINDS: Record<Term["type"], Kind> = {
  text: "text",
  number: "number",
  date: "date",
  select: "select",
  taxon: "text",
};

/** Words of public archives for a value that there is not, which every free text takes. */
const MISSING = ["not collected", "not provided", "not applicable", "restricted access"];

const WORDS = /^[a-z][a-z ]*$/;
/** `missing(?:: (?:lab stock|third party data))?`, as definitions write words that may have a reason. */
const WORDS_WITH_REASON = /^([a-z][a-z ]*)\(\?:: \(\?:([^()]+)\)\)\?$/;

/** Return the words instead of a value that a term names itself, or, of free text, the common ones. */
export function termsOf({ type, options, pattern }: Term): readonly string[] {
  if (type === "select")
    return options.filter((word) => MISSING.includes(word) || /^missing(?:: |$)/.test(word));
  if (pattern === null) return type === "number" ? [] : MISSING;
  return alternativesOf(pattern).flatMap((one) => {
    if (WORDS.test(one)) return [one];
    const [, words, reasons] = WORDS_WITH_REASON.exec(one) ?? [];
    return words === undefined
      ? []
      : [words, ...(reasons?.split("|") ?? []).map((why) => `${words}: ${why}`)];
  });
}

/** Split a pattern where it says `or` for the whole of it. */
function alternativesOf(pattern: string): string[] {
  const found = [""];
  let depth = 0;
  for (const part of pattern.match(/\\.|\[(?:\\.|[^\]])*\]|./gs) ?? []) {
    if (part === "(") depth += 1;
    if (part === ")") depth -= 1;
    if (part === "|" && depth === 0) found.push("");
    else found.push(`${found.pop()}${part}`);
  }
  return found;
}

export function fieldsOf(checklist: Checklist | null, form: StudyForm): Field[] {
  const terms = (checklist?.fields ?? []).map((term) => ({
    level: term.level,
    column: termColumn(term),
    units: term.units,
    term,
  }));
  const asked = form.perSampleFields
    .filter(({ visible }) => visible)
    .map((field) => ({
      level: "form" as const,
      column: { ...formColumn(field), key: formKey(field.name), mayWait: true, group: text.levels.form },
      units: [],
      term: null,
    }));
  return [...terms, ...asked].toSorted(
    (one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level),
  );
}

/** Questions of the facility may be named as terms are. */
const formKey = (name: string): string => `\u0000${name}`;
export const nameOfField = ({ column, term }: Field): string => term?.name ?? column.key.slice(1);

function termColumn(term: Term): Column {
  const { name, label, section, helpText, example, pattern } = term;
  return {
    key: name,
    label,
    names: [name],
    kind: KINDS[term.type],
    options: term.options,
    required: term.required,
    isUnique: false,
    unit: term.units[0],
    isMeasured: term.units.length > 0,
    help: text.help(helpText ?? "", example === null ? "" : text.example(example)),
    pattern: pattern ?? undefined,
    patternMessage: text.notInForm,
    group: text.group(text.levels[term.level], section),
    terms: termsOf(term),
    mayWait: true,
    isTaxon: term.type === "taxon",
  };
}

/** The columns that are shown, begun by the sample and by what the service says of it. */
export function columnsOf(fields: readonly Field[], impact: Impact | null, hasChecklist: boolean): Column[] {
  const asked = fields.filter(({ term }) => term?.required === true).length;
  const open = new Map(
    impact?.samples.map(({ id, missing, wrong }) => [id, missing.length + wrong.length]) ?? [],
  );
  const fixed = { options: [], required: false, isUnique: false, isFixed: true, kind: "text" } as const;
  const sample: Column = {
    ...fixed,
    key: SAMPLE,
    label: text.sample,
    names: ["sample name", "sample alias", "alias", "name", "sampleAlias"],
  };
  const shows = ({ id }: Row): string => {
    const left = open.get(id);
    if (left === undefined) return "";
    return left === 0 ? text.rowComplete : text.rowState(Math.max(0, asked - left), asked);
  };
  const state: Column = { ...fixed, key: STATE, label: text.complete, names: [], shows };
  const columns = fields.map(({ column }) => column);
  return hasChecklist ? [sample, state, ...columns] : [sample, ...columns];
}

/** What a sample says of a field. */
export function storedText(sample: Sample, field: Field): string {
  const name = nameOfField(field);
  return textOf(field.term === null ? sample.customFields[name] : sample.checklistData[name]);
}

export const sampleName = ({ sampleAlias, sampleId }: Sample): string => sampleAlias ?? sampleId;
