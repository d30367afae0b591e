import { Time } from "../../parts/time";
import { isAdmin } from "../../session";
import { text } from "../../text/en/order";
import { orderText } from "../../text/en/orders";
import { AnalysesCard } from "./analyses-card";
import type { Order } from "./state";

/** What is looked up beside the plate. */
export function SideCards({ order, address }: { order: Order; address: string }) {
  const { user, plate, counts, sequencingFilesPublishedAt, notes } = order;
  const note = notes[0];
  return (
    <div class="stack">
      <AnalysesCard order={order} address={address} />
      <section class="card stack-tight" aria-labelledby="order-delivery">
        <h2 id="order-delivery">
          <a href={`${address}?tab=delivery`}>{text.deliveryTitle}</a>
        </h2>
        <dl class="facts">
          <dt>{isAdmin.value ? text.reads : text.delivered}</dt>
          <dd class="number">{orderText.ofSamples(plate.done, counts.samples)}</dd>
          <dt>{text.released}</dt>
          <dd class="number">
            {sequencingFilesPublishedAt ? <Time at={sequencingFilesPublishedAt} /> : text.notYet}
          </dd>
        </dl>
      </section>
      <section class="card stack-tight" aria-labelledby="order-people">
        <h2 id="order-people">{text.people}</h2>
        <p>
          <span>
            {user.firstName} {user.lastName}
          </span>
          <br />
          <a href={`mailto:${user.email}`}>{user.email}</a>
        </p>
      </section>
      {note && (
        <section class="card stack-tight" aria-labelledby="order-note">
          <h2 id="order-note">
            <a href={`${address}?tab=notes`}>{text.latestNote}</a>
          </h2>
          <p class="note-text">{note.content}</p>
          <p class="muted">
            {text.noteKind[note.noteType]}, <Time at={note.createdAt} />
          </p>
        </section>
      )}
    </div>
  );
}
