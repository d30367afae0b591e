import { api, given } from "../api/client";
import type { components } from "../api/schema";
import type { IconName } from "../parts/icons";
import { isPlace } from "../place";
import { facilityRail, rail } from "../routes";
import { frame } from "../text/en/frame";

type Found = components["schemas"]["instance.search"]["results"][number];

/** Somewhere that one can go. */
export interface Goal {
  href: string;
  label: string;
  detail: string | null;
  icon: IconName;
}

const LEAST_LETTERS = 2;

const MORE: readonly Goal[] = [
  { href: "/orders/new", label: frame.places.newOrder, detail: null, icon: "add" },
  { href: "/messages/new", label: frame.places.newMessage, detail: null, icon: "edit" },
  { href: "/notifications", label: frame.notifications(0), detail: null, icon: "bell" },
  { href: "/profile", label: frame.profile, detail: null, icon: "person" },
  { href: "/help", label: frame.help, detail: null, icon: "help" },
];

/** The pages whose names hold what was typed. */
export function pagesNamed(typed: string, isAdmin: boolean): Goal[] {
  const role = isAdmin ? "admin" : "researcher";
  const mine = [...rail, ...(isAdmin ? facilityRail : [])].filter(
    ({ audience }) => audience === "signed-in" || audience === role,
  );
  const wanted = typed.trim().toLowerCase();
  const all = [...mine.map(({ href, label, icon }) => ({ href, label, icon, detail: null })), ...MORE];
  return all.filter(({ href, label }) => label.toLowerCase().includes(wanted) && isPlace(href));
}

/** What the service finds, as far as there are pages for it. */
export async function search(typed: string, signal: AbortSignal): Promise<Goal[]> {
  const q = typed.trim();
  if (q.length < LEAST_LETTERS) return [];
  const { results } = await given(api.GET("/api/search", { params: { query: { q } }, signal }));
  return results.map(asGoal).filter(({ href }) => isPlace(href));
}

function asGoal({ kind, id, label, detail, orderId }: Found): Goal {
  switch (kind) {
    case "ORDER":
      return { href: `/orders/${id}`, label, detail, icon: "orders" };
    case "SAMPLE":
      return {
        href: `/orders/${orderId}?tab=samples&q=${encodeURIComponent(label)}`,
        label,
        detail,
        icon: "file",
      };
    case "STUDY":
      return { href: `/studies/${id}`, label, detail, icon: "studies" };
    case "RUN":
      return { href: `/runs/${label}`, label, detail, icon: "runs" };
    case "PERSON":
      return { href: `/facility/people?person=${id}`, label, detail, icon: "people" };
  }
}
