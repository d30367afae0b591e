import { Button } from "../../../parts/button";
import { SearchField } from "../../../parts/search-field";
import { logText as text } from "../../../text/en/runs";
import { hitsOf, nextHit } from "./book";
import type { OpenLog } from "./state";

interface Props {
  log: OpenLog;
  words: string;
  /** The line that is chosen. */
  chosen: string | null;
  onType: (words: string) => void;
  onChoose: (line: string) => void;
}

/** Look for a text in the lines that are here, and then in what stands before them. */
export function LogSearch({ log, words, chosen, onType, onChoose }: Props) {
  const book = log.book.value;
  const hits = book ? hitsOf(book, words) : [];
  const previous = nextHit(hits, chosen, -1);
  const next = nextHit(hits, chosen, 1);
  const isSearching = log.isSearching.value;
  const hasBefore = book !== null && book.start > 0;
  const back = async (): Promise<void> => {
    const found = await log.searchBack(words);
    if (found !== null) onChoose(found);
  };
  return (
    <search class="line log-search">
      <SearchField name="log-search" label={text.search} words={words} onSearch={onType} />
      {words !== "" && (
        <>
          <span role="status">{isSearching ? text.searching : text.hits(hits.length)}</span>
          <Button
            look="quiet"
            icon="up"
            label={text.previousHit}
            refusal={previous ? null : text.noHit}
            onClick={() => previous && onChoose(previous)}
          />
          <Button
            look="quiet"
            icon="down"
            label={text.nextHit}
            refusal={next ? null : text.noHit}
            onClick={() => next && onChoose(next)}
          />
          {isSearching ? (
            <Button onClick={() => log.stopSearching()}>{text.stopSearching}</Button>
          ) : (
            hasBefore && <Button onClick={() => void back()}>{text.searchBack}</Button>
          )}
        </>
      )}
    </search>
  );
}
