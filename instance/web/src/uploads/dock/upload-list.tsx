import { useState } from "preact/hooks";
import { Button } from "../../parts/button";
import { stateText, dockText as text } from "../../text/en/uploads";
import { size } from "../../text/format";
import type { State } from "../engine/protocol";
import { isUnderWay } from "../engine/queue";
import { pause, remove, resume, retry, type Upload, uploads } from "../state";

/** Rows of one height; only those near what is seen are in the page. */
const ROW_HEIGHT = 44;
const SEEN = 360;
const SPARE = 6;

/** Each file with its state in words. */
export function UploadList() {
  const [top, setTop] = useState(0);
  const all = uploads.value;
  const shown = Math.ceil(SEEN / ROW_HEIGHT) + 2 * SPARE;
  const first = Math.max(0, Math.min(Math.floor(top / ROW_HEIGHT) - SPARE, all.length - shown));
  const last = Math.min(all.length, first + shown);
  return (
    <section
      class="dock-list"
      aria-label={text.list}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <ul style={{ paddingBlock: `${first * ROW_HEIGHT}px ${(all.length - last) * ROW_HEIGHT}px` }}>
        {all.slice(first, last).map((upload, place) => (
          <Row key={upload.id} upload={upload} place={first + place} all={all.length} />
        ))}
      </ul>
    </section>
  );
}

function Row({ upload, place, all }: { upload: Upload; place: number; all: number }) {
  const { id, name, size: bytes, sent, state, orderNumber } = upload;
  const words = inWords(state);
  return (
    <li
      class="dock-row"
      aria-label={name}
      aria-setsize={all}
      aria-posinset={place + 1}
      title={`${name}: ${words}. ${text.orderOf(orderNumber)}`}
    >
      <span class="dock-name">{name}</span>
      <span class={state.is === "refused" ? "dock-state uploads-wrong" : "dock-state"}>{words}</span>
      {isUnderWay(state) ? (
        <progress max={bytes} value={sent} aria-label={text.progressOf(name)} />
      ) : (
        <span class="muted dock-size">{size(bytes)}</span>
      )}
      <span class="dock-actions">
        {isUnderWay(state) && <Act label={text.pause(name)} icon="pause" onClick={() => pause([id])} />}
        {state.is === "paused" && <Act label={text.resume(name)} icon="next" onClick={() => resume([id])} />}
        {state.is === "refused" && <Act label={text.retry(name)} icon="again" onClick={() => retry([id])} />}
        <Act label={text.remove(name)} icon="close" onClick={() => remove([id])} />
      </span>
    </li>
  );
}

interface ActProps {
  label: string;
  icon: "pause" | "next" | "again" | "close";
  onClick: () => void;
}

const Act = ({ label, icon, onClick }: ActProps) => (
  <Button look="quiet" icon={icon} label={label} onClick={onClick} />
);

function inWords(state: State): string {
  if (state.is === "broken") return stateText.broken((state.until - Date.now()) / 1000);
  if (state.is === "refused") return stateText.refused(state.why, state.words);
  if (state.is === "filed" && state.wasThere) return stateText.wasThere;
  return stateText[state.is];
}
