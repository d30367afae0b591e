import { api, given } from "../../api/client";
import { isAdmin } from "../../session";
import { homeText } from "../../text/en/my-work";
import { text } from "../../text/en/order";
import type { Line } from "./state";

export type TakeBack = () => Promise<void>;

/** What is done about a line with one click, where it stands. */
export interface LineAction {
  /** The words of its button. */
  label: string;
  /** What became of the line. */
  done: string;
  /** Do it; answers how to take it back. */
  act: () => Promise<TakeBack>;
}

type StepNote = "ORDER_ACCEPTED" | "SAMPLES_RECEIVED";

/** The action of a line; null for what is done on a page of its own. */
export function actionOf(line: Line): LineAction | null {
  const { order, ticket, action, since } = line;
  const label = homeText.action[action.what];
  if (order && action.what === "ACCEPT") {
    return { label, done: text.acceptedDone, act: record(order.id, "ORDER_ACCEPTED", text.acceptedDone) };
  }
  if (order && action.what === "RECEIVE_SAMPLES") {
    return { label, done: text.receivedDone, act: record(order.id, "SAMPLES_RECEIVED", text.receivedDone) };
  }
  if (ticket && isAdmin.value) {
    return { label: homeText.markRead, done: homeText.markedRead, act: markRead(ticket.id, since) };
  }
  return null;
}

function record(order_id: string, noteType: StepNote, content: string): LineAction["act"] {
  return async () => {
    const params = { path: { order_id } };
    const path = "/api/orders/{order_id}/notes";
    const { note } = await given(api.POST(path, { params, body: { noteType, content } }));
    return async () => {
      const params = { path: { order_id, note_id: note.id } };
      await given(api.DELETE("/api/orders/{order_id}/notes/{note_id}", { params }));
    };
  };
}

function markRead(ticket_id: string, since: string): LineAction["act"] {
  const path = { ticket_id };
  return async () => {
    await given(api.PUT("/api/tickets/{ticket_id}/read", { params: { path } }));
    return async () => {
      await given(api.DELETE("/api/tickets/{ticket_id}/read", { params: { path, query: { since } } }));
    };
  };
}
