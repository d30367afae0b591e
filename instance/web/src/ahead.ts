import { api, ahead as fetch } from "./api/client";

/** How many orders a list begins with. */
const ORDERS = 200;

/**
 * Ask for what the screen of an address shows first, while its script is on its way; resolves when all is asked
 * for. What nobody takes is forgotten, and what goes wrong is asked for again by the screen, which says so.
 */
export async function askAhead({ pathname, search }: Pick<Location, "pathname" | "search">): Promise<void> {
  await begin(pathname, new URLSearchParams(search)).catch(() => undefined);
}

async function begin(pathname: string, words: URLSearchParams): Promise<void> {
  const [, place, number = ""] = pathname.split("/");
  if (place !== "orders") return;
  if (number === "" && words.size === 0) {
    ask(api.GET("/api/orders", { params: { query: { limit: ORDERS, offset: 0 } }, fetch }));
  } else if (number === "new") {
    ask(api.GET("/api/form-schema", { fetch }));
    ask(api.GET("/api/sequencing-tech", { fetch }));
    const draft = words.get("order");
    if (draft?.startsWith("ORD-")) await askForDraft(draft);
  } else if (number.startsWith("ORD-")) {
    const { data } = await api.GET("/api/search", { params: { query: { q: number } }, fetch });
    const id = data?.results.find(({ kind }) => kind === "ORDER")?.id;
    if (id) ask(api.GET("/api/orders/{order_id}", { params: { path: { order_id: id } }, fetch }));
  }
}

async function askForDraft(number: string): Promise<void> {
  const { data } = await api.GET("/api/orders", { params: { query: { q: number } }, fetch });
  const id = data?.orders.find(({ orderNumber }) => orderNumber === number)?.id;
  if (id === undefined) return;
  const params = { path: { order_id: id } };
  ask(api.GET("/api/orders/{order_id}", { params, fetch }));
  ask(api.GET("/api/orders/{order_id}/samples", { params, fetch }));
}

function ask(call: Promise<unknown>): void {
  call.catch(() => undefined);
}
