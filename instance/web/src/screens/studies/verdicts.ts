/** What the service says of the cells of a study's metadata. */
import type { GridModel, Verdict } from "../../grid/model";
import { text } from "../../text/en/studies";
import type { Answers } from "./answers";
import type { Field } from "./columns";
import type { Impact } from "./state";

/** A rule longer than this helps nobody who reads it in a cell. */
const LONGEST_REASON = 90;

export function verdictsOf(
  grid: GridModel,
  answers: Answers,
  impact: Impact | null,
  fields: ReadonlyMap<string, Field>,
): ReadonlyMap<string, Verdict> {
  const wrong = new Map(impact?.samples.map((sample) => [sample.id, sample.wrong]));
  const onTheirWay = answers.toSend();
  const verdicts = grid.rows.value.flatMap((row): [string, Verdict][] => {
    const reported = onTheirWay[row.id] === undefined ? wrong.get(row.id) : undefined;
    const problems = new Map(
      reported?.map(({ field, reason }) => [field, inWords(fields.get(field), reason)]),
    );
    for (const { key } of grid.columns.value) {
      const dispute = answers.dispute(row.id, key);
      const words = answers.refusal(row.id, key) ?? (dispute && text.disputed(dispute.theirs));
      if (words !== undefined) problems.set(key, words);
    }
    return reported === undefined && problems.size === 0 ? [] : [[row.id, { row, problems }]];
  });
  return new Map(verdicts);
}

/** The service quotes the whole rule; a long one is no sentence, and what the term asks says it better. */
function inWords(field: Field | undefined, reason: string): string {
  const { patternMessage, help } = field?.column ?? {};
  return reason.length <= LONGEST_REASON ? reason : [`${patternMessage}.`, help].filter(Boolean).join(" ");
}
