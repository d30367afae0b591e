import { api, given } from "../../api/client";
import type { components } from "../../api/schema";

export type Ticket = components["schemas"]["instance.ticket"]["ticket"];
export type Conversation = components["schemas"]["instance.ticket-conversation"];
export type Message = Conversation["messages"][number];
export type Tickets = components["schemas"]["instance.tickets"];
export type Status = Ticket["status"];
export type NewTicket = components["schemas"]["instance.requests.new-ticket"];

export const STATUSES: readonly Status[] = ["OPEN", "IN_PROGRESS", "RESOLVED", "CLOSED"];

export const listTickets = (
  { status, q, limit }: { status: Status | undefined; q: string; limit: number },
  signal: AbortSignal,
): Promise<Tickets> => {
  const query = { limit, ...(status && { status }), ...(q && { q }) };
  return given(api.GET("/api/tickets", { params: { query }, signal }));
};

export const readConversation = (id: string, signal?: AbortSignal): Promise<Conversation> =>
  given(
    api.GET("/api/tickets/{ticket_id}", { params: { path: { ticket_id: id } }, ...(signal && { signal }) }),
  );

export async function reply(id: string, body: string): Promise<Message> {
  const path = { ticket_id: id };
  return (await given(api.POST("/api/tickets/{ticket_id}/messages", { params: { path }, body: { body } })))
    .message;
}

export async function move(id: string, status: Status): Promise<Ticket> {
  const path = { ticket_id: id };
  return (await given(api.PATCH("/api/tickets/{ticket_id}", { params: { path }, body: { status } }))).ticket;
}

export async function write(ticket: NewTicket): Promise<string> {
  return (await given(api.POST("/api/tickets", { body: ticket }))).ticket.id;
}

export interface OrderChoice {
  id: string;
  label: string;
}

/** The newest orders of who asks, and `asked`, to say which one a message is about. */
export async function listOrders(
  asked: string | undefined,
  signal: AbortSignal,
): Promise<readonly OrderChoice[]> {
  const { orders } = await given(api.GET("/api/orders", { params: { query: { limit: 100 } }, signal }));
  const isOlder = asked !== undefined && orders.every(({ id }) => id !== asked);
  const older = isOlder ? await readOrder(asked, signal) : [];
  return [...older, ...orders].map(({ id, orderNumber, name }) => ({
    id,
    label: name ? `${orderNumber} ${name}` : orderNumber,
  }));
}

/** Read one order; none where somebody may not see it. */
async function readOrder(id: string, signal: AbortSignal) {
  const params = { path: { order_id: id } };
  return given(api.GET("/api/orders/{order_id}", { params, signal })).then(
    ({ order }) => [order],
    () => [],
  );
}
