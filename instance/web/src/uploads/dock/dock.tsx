import "../../style/parts/uploads.css";
import { useState } from "preact/hooks";
import { offlineSince } from "../../api/connection";
import { Button } from "../../parts/button";
import { dockText as text } from "../../text/en/uploads";
import { isUploading } from "../../uploads-kept";
import { isUnderWay } from "../engine/queue";
import { secondsLeft } from "../rate";
import {
  idsOf,
  isSignedOut,
  pause,
  remove,
  resume,
  retry,
  type Summary,
  signInAgain,
  summary,
} from "../state";
import { Interrupted } from "./interrupted";
import { RemoveAll } from "./remove-all";
import { UploadList } from "./upload-list";

/** What is being sent, at the foot of every page. */
export function Dock() {
  const [isOpen, setIsOpen] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  const now = summary.value;
  const isOver = now.underWay + now.paused + now.stopped === 0;
  const close = (): void => {
    remove(idsOf(() => true));
    // The dock goes with its last file; the next Tab begins at the page.
    document.getElementById("content")?.focus({ preventScroll: true });
  };
  return (
    <section class="dock" aria-label={text.title}>
      <Interrupted />
      {isUploading.value && (
        <>
          <div class="dock-bar">
            <p class="dock-words">{wordsOf(now)}</p>
            {!isOver && <progress max={now.bytes} value={now.sent} aria-label={text.title} />}
            <div class="line dock-buttons">
              {now.underWay > 0 && <Button onClick={() => pause(idsOf(isUnderWay))}>{text.pauseAll}</Button>}
              {now.paused > 0 && (
                <Button onClick={() => resume(idsOf(({ is }) => is === "paused"))}>{text.resumeAll}</Button>
              )}
              {now.stopped > 0 && (
                <Button onClick={() => retry(idsOf(({ is }) => is === "refused"))}>{text.retryAll}</Button>
              )}
              {isOver ? (
                <Button onClick={close}>{text.clear}</Button>
              ) : (
                <Button onClick={() => setIsAsked(true)}>{text.removeAll}</Button>
              )}
              <Button
                look="quiet"
                icon={isOpen ? "down" : "up"}
                label={isOpen ? text.hide : text.show}
                isExpanded={isOpen}
                onClick={() => setIsOpen(!isOpen)}
              />
            </div>
          </div>
          {isSignedOut.value && (
            <div class="notice notice-wait line" role="alert">
              <p>{text.signedOut}</p>
              <Button onClick={() => void signInAgain()}>{text.signIn}</Button>
            </div>
          )}
          {offlineSince.value && now.underWay > 0 && <p class="notice notice-wait">{text.offline}</p>}
          {isOpen && <UploadList />}
        </>
      )}
      {isAsked && (
        <RemoveAll
          files={now.all - now.filed}
          onClose={() => setIsAsked(false)}
          onRemove={() => {
            setIsAsked(false);
            close();
          }}
        />
      )}
    </section>
  );
}

function wordsOf({ all, filed, bytes, sent, stopped, paused, underWay, perSecond }: Summary): string {
  if (underWay + paused === 0)
    return [text.isOver(filed, all), stopped > 0 && text.trouble(stopped)].filter(Boolean).join(", ");
  const left = secondsLeft(bytes - sent, perSecond);
  return [
    text.summary(filed, all, sent, bytes),
    perSecond !== null && perSecond > 0 && text.rate(perSecond),
    left !== null && text.left(left),
    stopped > 0 && text.trouble(stopped),
  ]
    .filter(Boolean)
    .join(", ");
}
