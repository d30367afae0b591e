import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Button } from "../../../parts/button";
import { logText as text } from "../../../text/en/runs";
import { type Book, isAtEnd, lineId, type Piece } from "./book";

interface Props {
  label: string;
  book: Book;
  /** The line that the address names. */
  chosen: string | null;
  isFollowing: boolean;
  isWrapped: boolean;
  onFollow: (isFollowing: boolean) => void;
  onChoose: (line: string) => void;
  onEarlier: () => Promise<void>;
  onLater: () => Promise<void>;
}

/** So near the end one reads the end. */
const NEAR_END = 24;
/** Lines that the browser lays out together. */
const BLOCK = 100;

/** Lines of a log in a box that scrolls. */
export function LogView(props: Props) {
  const { label, book, chosen, isFollowing, isWrapped, onFollow, onChoose, onEarlier, onLater } = props;
  const box = useRef<HTMLDivElement>(null);
  const top = useRef(0);
  const anchor = useRef<string | null>(null);

  useLayoutEffect(() => {
    const place = box.current;
    if (!place) return;
    const kept = anchor.current && document.getElementById(anchor.current);
    anchor.current = null;
    if (isFollowing) toEnd(place);
    else if (kept) kept.scrollIntoView({ block: "start" });
  }, [book, isFollowing, isWrapped]);
  useEffect(() => {
    if (chosen !== null && !isFollowing) {
      document.getElementById(`log-${chosen}`)?.scrollIntoView({ block: "center" });
    }
  }, [chosen, book.start, isFollowing]);

  const room = useRef("");
  const scrolled = (place: HTMLElement): void => {
    // A window that gets another size moves the lines as well: nobody has scrolled.
    const now = `${place.clientWidth} ${place.clientHeight}`;
    const isResized = room.current !== "" && room.current !== now;
    room.current = now;
    if (isResized && isFollowing) {
      toEnd(place);
      return;
    }
    const isUp = place.scrollTop < top.current;
    top.current = place.scrollTop;
    const isNear = place.scrollHeight - place.scrollTop - place.clientHeight < NEAR_END;
    if (isFollowing && isUp && !isNear) onFollow(false);
    else if (!isFollowing && isNear && isAtEnd(book) && chosen === null) onFollow(true);
  };
  const earlier = (): void => {
    const first = book.pieces[0];
    anchor.current = first ? `log-${lineId(first.from, 0)}` : null;
    onFollow(false);
    void onEarlier();
  };
  const keys = (event: KeyboardEvent): void => {
    const step = { j: 1, k: -1 }[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const lines = [...(box.current?.querySelectorAll<HTMLElement>("[data-line]") ?? [])];
    const now = lines.findIndex((line) => line.dataset.line === chosen);
    const next = now < 0 ? lines.at(-1) : lines[now + step];
    if (!next?.dataset.line) return;
    event.preventDefault();
    onFollow(false);
    onChoose(next.dataset.line);
  };
  return (
    <section
      ref={box}
      class={isWrapped ? "log-box log-wrapped" : "log-box"}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      onScroll={(event) => scrolled(event.currentTarget)}
      onKeyDown={keys}
      onClick={(event) => {
        const line = event.target instanceof Element ? event.target.closest("[data-line]") : null;
        if (line instanceof HTMLElement && getSelection()?.isCollapsed && line.dataset.line) {
          onFollow(false);
          onChoose(line.dataset.line);
        }
      }}
    >
      {book.start > 0 && (
        <Button look="quiet" icon="up" onClick={earlier}>
          {text.earlier}
        </Button>
      )}
      {book.pieces.map((piece) => (
        <PieceLines key={piece.from} piece={piece} chosen={placeIn(piece, chosen)} />
      ))}
      {book.unfinished !== "" && <div class="log-line">{book.unfinished}</div>}
      {!isAtEnd(book) && (
        <Button look="quiet" icon="down" onClick={() => void onLater()}>
          {text.later}
        </Button>
      )}
    </section>
  );
}

/** The browser guesses how high lines are that it has not laid out: once they are there, the end is elsewhere. */
function toEnd(place: HTMLElement): void {
  place.scrollTop = place.scrollHeight;
  requestAnimationFrame(() => {
    place.scrollTop = place.scrollHeight;
  });
}

function placeIn({ from }: Piece, chosen: string | null): number | null {
  const [piece, place] = (chosen ?? "").split(".");
  return piece === String(from) ? Number(place) : null;
}

/** Drawn once for each piece: thousands of lines are not gone through again with every one that comes. */
function PieceLines({ piece, chosen }: { piece: Piece; chosen: number | null }) {
  return useMemo(() => linesOf(piece, chosen), [piece, chosen]);
}

function linesOf({ from, lines }: Piece, chosen: number | null) {
  const blocks = Array.from({ length: Math.ceil(lines.length / BLOCK) }, (_, block) => block * BLOCK);
  return (
    <>
      {blocks.map((first) => (
        <div key={first} class="log-block">
          {lines.slice(first, first + BLOCK).map((line, offset) => {
            const place = first + offset;
            const id = lineId(from, place);
            return (
              <div
                key={place}
                id={`log-${id}`}
                data-line={id}
                class={place === chosen ? "log-line log-chosen" : "log-line"}
              >
                {line}
              </div>
            );
          })}
        </div>
      ))}
    </>
  );
}
