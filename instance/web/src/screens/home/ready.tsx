import { LinkButton } from "../../parts/button";
import { Time } from "../../parts/time";
import { homeText as text } from "../../text/en/my-work";
import { addressOf, type Overview } from "./state";

/** The files that may be downloaded, newest first. */
export function Ready({ overview }: { overview: Overview }) {
  const { ready, readyCount } = overview;
  return (
    <section class="stack" aria-label={text.ready}>
      <h2>{text.ready}</h2>
      <div class="card stack-tight">
        <ul class="queue">
          {ready.toReversed().map((release) => {
            const name = release.order.name ?? release.order.orderNumber;
            return (
              <li key={release.order.id} class="spread">
                <span>
                  <a href={addressOf(release)}>{name}</a>{" "}
                  <span class="muted">
                    {text.readyLine(release.count)}, <Time at={release.since} />
                  </span>
                </span>
                <LinkButton
                  look="main"
                  icon="download"
                  href={addressOf(release)}
                  label={text.about(text.action.DOWNLOAD, name)}
                >
                  {text.action.DOWNLOAD}
                </LinkButton>
              </li>
            );
          })}
        </ul>
        {readyCount > ready.length && <p class="muted">{text.more(readyCount - ready.length)}</p>}
      </div>
    </section>
  );
}
