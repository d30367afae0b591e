import { useEffect, useRef, useState } from "preact/hooks";
import { useList } from "../../../api/resource";
import { Button, LinkButton } from "../../../parts/button";
import { copyText } from "../../../parts/copy-text";
import { Field, SelectField } from "../../../parts/field";
import { ProblemNotice } from "../../../parts/problem";
import { demoRefusal } from "../../../session";
import { text as common } from "../../../text/en/common";
import { placesText, runText, sheetText as text } from "../../../text/en/plans";
import type { Order } from "../state";
import { isNanopore } from "./parameters";
import type { PlacesSheet } from "./places-sheet";
import { type Format, type Run, readSheet, sheetAddress } from "./state";

interface Props {
  run: Run;
  order: Order;
  places: PlacesSheet | null;
  onEdit: () => void;
}

const FORMATS = ["illumina", "minknow"] as const;
const MOST_SHOWN = 20;

/** The sample sheet of a run as the instrument reads it, or what it would refuse. */
export function SampleSheet({ run, order, places, onEdit }: Props) {
  const usual = isNanopore(run.platform ?? order.platform) ? "minknow" : "illumina";
  const [format, setFormat] = useState<Format>(usual);
  const sheet = useList(
    async (signal) => ({ format, ...(await readSheet(run, format, signal)) }),
    [run.id, run.updatedAt, format],
  );
  const problem = sheet.problem.value;
  const shown = sheet.data.value?.format === format ? sheet.data.value : null;
  const isRefused = shown !== null && shown.problems.length > 0;
  return (
    <section class="stack" aria-label={text.title}>
      <div class="spread">
        <h2>{text.title}</h2>
        <div class="line line-end">
          <SelectField
            name="sheetFormat"
            label={text.format}
            value={format}
            choices={FORMATS.map((value) => ({ value, label: text.formats[value] }))}
            onInput={(value) => setFormat(FORMATS.find((known) => known === value) ?? usual)}
          />
          <LinkButton
            look="main"
            icon="download"
            href={sheetAddress(run, format)}
            download
            refusal={isRefused ? text.incomplete : null}
          >
            {text.download}
          </LinkButton>
        </div>
      </div>
      {places !== null && places.changes.value.length > 0 && <p class="muted">{text.unsaved}</p>}
      {problem && <ProblemNotice problem={problem} onTryAgain={() => void sheet.reload()} />}
      {isRefused && (
        <div class="notice notice-wait">
          <p class="notice-title">{text.incomplete}</p>
          <p>{text.incompleteWhy}</p>
          <ul class="error-list">
            {shown.problems.slice(0, MOST_SHOWN).map(({ path, reason }) => (
              <li key={`${path} ${reason}`}>{inWords(path, reason, places)}</li>
            ))}
            {shown.problems.length > MOST_SHOWN && (
              <li class="muted">{placesText.more(shown.problems.length - MOST_SHOWN)}</li>
            )}
          </ul>
          <div>
            <Button icon="edit" refusal={demoRefusal.value} onClick={onEdit}>
              {runText.editTitle(run.runId)}
            </Button>
          </div>
        </div>
      )}
      {shown !== null && !isRefused && <SheetText words={shown.text} />}
    </section>
  );
}

const PLACE = /^assignments\[(\d+)\]\.(?:customFields\.)?(.+)$/;

/** Name what a line of the refusal is about: a field of the run, or a sample and its column. */
function inWords(path: string | null, reason: string, places: PlacesSheet | null): string {
  if (path === null) return reason;
  const [, position, key] = PLACE.exec(path) ?? [];
  const sample = position === undefined ? undefined : places?.stored.value.assignments[Number(position)];
  if (sample !== undefined && key !== undefined) {
    return `${text.place(sample.sampleAlias ?? sample.sampleCode, places?.labelOf(key) ?? key)}: ${reason}`;
  }
  return `${runText.labels[path] ?? path}: ${reason}`;
}

function SheetText({ words }: { words: string }) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [isCopied, setCopied] = useState<boolean | null>(null);
  useEffect(() => setCopied(null), [words]);
  const copy = async (): Promise<void> => {
    if (box.current) setCopied(await copyText(words, box.current));
  };
  return (
    <div class="stack-tight">
      <Field name="sheetText" label={text.text}>
        {(aria) => (
          <textarea
            {...aria}
            ref={box}
            class="control mono plan-sheet"
            readOnly
            wrap="off"
            value={words}
            spellcheck={false}
          />
        )}
      </Field>
      <div class="line">
        <Button icon={isCopied ? "check" : "copy"} onClick={() => void copy()}>
          {isCopied ? text.copied : text.copy}
        </Button>
        <span class={isCopied === false ? "muted" : "unseen"} role="status">
          {isCopied === false && common.notCopied}
        </span>
      </div>
    </div>
  );
}
