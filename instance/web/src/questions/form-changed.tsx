import "../style/parts/form-changed.css";
import { useRef } from "preact/hooks";
import { Button } from "../parts/button";
import { Copy } from "../parts/copy";
import { toast } from "../parts/toast";
import { text } from "../text/en/questions";
import type { FormNews, SetAside } from "./set-aside";

interface Props {
  /** What the change brought while this page was open; null when it was before. */
  news: FormNews | null;
  setAside: readonly SetAside[];
  /** It was read; these texts are still kept. */
  onRead: (left: readonly SetAside[]) => void;
}

/** Longer texts, such as a column of a table, are opened by whoever wants to read them. */
const MAX_LINES = 6;

/** That the form is another one than a moment ago, and what was written for questions that are gone. */
export function FormChanged({ news, setAside, onRead }: Props) {
  // WHY: what is taken back belongs to the page as it is then.
  const newest = useRef(onRead);
  newest.current = onRead;
  if (news === null && setAside.length === 0) return null;
  const dismiss = (): void => {
    onRead([]);
    if (setAside.length > 0) toast(text.dismissed, () => newest.current(setAside));
  };
  return (
    <section class="notice notice-wait stack-tight" aria-label={text.formChanged}>
      <p class="notice-title" role="alert">
        {text.formChanged}
      </p>
      {news !== null && <p>{text.stillAsked}</p>}
      {news !== null && news.added.length > 0 && <p>{text.added(news.added)}</p>}
      {setAside.length > 0 && (
        <>
          <p class="notice-title">{text.noLongerAsked}</p>
          <p>{text.noLongerAskedHelp}</p>
          <ul class="set-aside">
            {setAside.map((one) => (
              <li key={`${one.label} ${one.text}`}>
                <strong>{one.label}</strong>
                <Text of={one} />
              </li>
            ))}
          </ul>
        </>
      )}
      <div>
        <Button onClick={dismiss}>{text.dismiss}</Button>
      </div>
    </section>
  );
}

function Text({ of }: { of: SetAside }) {
  const lines = of.text.split("\n").length;
  const copy = <Copy value={of.text} label={of.label} />;
  if (lines <= MAX_LINES) return copy;
  return (
    <details>
      <summary>{text.lines(lines)}</summary>
      {copy}
    </details>
  );
}
