import { useEffect, useMemo, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useLive } from "../../../api/live";
import { addressWith } from "../../../parts/address";
import { Button } from "../../../parts/button";
import { FilterChip } from "../../../parts/chip";
import { Empty } from "../../../parts/empty";
import { Waiting } from "../../../parts/loading";
import { ProblemNotice } from "../../../parts/problem";
import { logText as text } from "../../../text/en/runs";
import { size } from "../../../text/format";
import { isActive } from "../state";
import type { TabProps } from "../tabs";
import { LogSearch } from "./search";
import { isAtEnd, OpenLog, type Stream } from "./state";
import { LogView } from "./view";

/** How often a log is looked at while its run goes on: nobody tells that a file has grown. */
const LOOK_MS = 1000;

/** What a run writes: it follows the end until one scrolls up. */
export function Tab({ run }: TabProps) {
  const { path, query, route } = useLocation();
  const stream: Stream = query.stream === "output" ? "output" : "error";
  const log = useMemo(() => new OpenLog(run.id, stream), [run.id, stream]);
  const [isFollowing, follow] = useState(query.at === undefined);
  const [isWrapped, wrap] = useState(true);
  const [words, search] = useState("");
  const isGoingOn = isActive(run);
  const go = (changes: Record<string, string | null>): void =>
    route(addressWith(path, query, { tab: "log", ...changes }), true);

  useEffect(() => {
    void log.open(query.at);
    return () => log.close();
  }, [log]);
  const grow = (): void => {
    const book = log.book.value;
    if (!document.hidden && isFollowing && (book === null || isAtEnd(book))) void log.later();
  };
  useLive([`run:${run.id}`], grow);
  useEffect(() => {
    if (!isGoingOn || !isFollowing) return;
    const timer = setInterval(grow, LOOK_MS);
    return () => clearInterval(timer);
  }, [log, isGoingOn, isFollowing]);

  const book = log.book.value;
  const problem = log.problem.value;
  return (
    <div class="stack-tight">
      <div class="line log-bar">
        {(["error", "output"] as const).map((each) => (
          <FilterChip
            key={each}
            isOn={each === stream}
            onToggle={() => {
              follow(true);
              go({ stream: each, at: null });
            }}
          >
            {text.stream[each]}
          </FilterChip>
        ))}
        <FilterChip isOn={isWrapped} onToggle={() => wrap(!isWrapped)}>
          {text.wrap}
        </FilterChip>
        <LogSearch
          log={log}
          words={words}
          chosen={query.at ?? null}
          onType={search}
          onChoose={(at) => {
            follow(false);
            go({ at });
          }}
        />
      </div>
      {problem && <ProblemNotice problem={problem} onTryAgain={() => void log.open(query.at)} />}
      {book === null && !problem && <Waiting />}
      {book !== null && book.size === 0 && (
        <Empty title={text.empty}>{isGoingOn ? text.emptyYet : text.emptyWhy}</Empty>
      )}
      {book !== null && book.size > 0 && (
        <>
          <LogView
            label={text.of(text.stream[stream])}
            book={book}
            chosen={query.at ?? null}
            isFollowing={isFollowing}
            isWrapped={isWrapped}
            onFollow={follow}
            onChoose={(at) => go({ at })}
            onEarlier={() => log.earlier()}
            onLater={() => log.later()}
          />
          <div class="line muted">
            <span>
              {text.place(size(book.start), size(book.end), size(book.size))}
              {!book.fromFile && ` ${text.onlyEnd}`}
            </span>
            <Button
              look="quiet"
              refusal={book.start === 0 ? text.atStart : null}
              onClick={() => {
                follow(false);
                void log.toStart();
              }}
            >
              {text.toStart}
            </Button>
            <Button
              look="quiet"
              refusal={isFollowing ? text.atEnd : null}
              onClick={() => {
                void log.toEnd().then(() => follow(true));
                go({ at: null });
              }}
            >
              {text.toEnd}
            </Button>
            {isGoingOn && <span role="status">{isFollowing ? text.follows : text.stands}</span>}
            <span class="keys">{text.keys}</span>
          </div>
        </>
      )}
    </div>
  );
}
