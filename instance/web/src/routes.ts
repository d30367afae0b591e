import type { IconName } from "./parts/icons";
import { type LazyScreen, screen } from "./screen";
import { ownPassword } from "./session";
import { frame } from "./text/en/frame";

export type Audience = "anybody" | "signed-in" | "researcher" | "admin";

export interface Place {
  /** `:name` is a part of the address, `:name?` may be missing. */
  readonly path: string;
  readonly screen: LazyScreen;
  readonly audience: Audience;
}

const register = screen(() => import("./screens/register/screen"));
const reset = screen(() => import("./screens/reset/screen"));

/** Every address of the pages. A screen is fetched when somebody first goes there. */
export const places: readonly Place[] = [
  { path: "/sign-in", screen: screen(() => import("./screens/sign-in/screen")), audience: "anybody" },
  {
    path: "/forgotten-password",
    screen: screen(() => import("./screens/forgotten-password/screen")),
    audience: "anybody",
  },
  { path: "/demo", screen: screen(() => import("./screens/demo/screen")), audience: "anybody" },
  { path: "/register", screen: register, audience: "anybody" },
  { path: "/invite/:code?", screen: register, audience: "anybody" },
  { path: "/reset/:token", screen: reset, audience: "anybody" },
  { path: "/reset-password", screen: reset, audience: "anybody" },
  { path: "/help/:topic?", screen: screen(() => import("./screens/help/screen")), audience: "anybody" },
  {
    path: "/accessibility",
    screen: screen(() => import("./screens/help/accessibility")),
    audience: "anybody",
  },

  {
    path: ownPassword,
    screen: screen(() => import("./screens/profile/new-password")),
    audience: "signed-in",
  },
  { path: "/profile", screen: screen(() => import("./screens/profile/screen")), audience: "signed-in" },
  { path: "/messages", screen: screen(() => import("./screens/messages/screen")), audience: "signed-in" },
  {
    path: "/messages/new",
    screen: screen(() => import("./screens/messages/new-message")),
    audience: "signed-in",
  },
  { path: "/messages/:id", screen: screen(() => import("./screens/messages/thread")), audience: "signed-in" },
  {
    path: "/notifications",
    screen: screen(() => import("./screens/notifications/screen")),
    audience: "signed-in",
  },
  { path: "/", screen: screen(() => import("./screens/home/my-work")), audience: "researcher" },
  { path: "/", screen: screen(() => import("./screens/home/today")), audience: "admin" },
  { path: "/orders", screen: screen(() => import("./screens/orders/screen")), audience: "signed-in" },
  { path: "/orders/new", screen: screen(() => import("./screens/new-order/screen")), audience: "signed-in" },
  { path: "/orders/:number", screen: screen(() => import("./screens/order/screen")), audience: "signed-in" },
  { path: "/runs", screen: screen(() => import("./screens/runs/screen")), audience: "signed-in" },
  { path: "/runs/:number", screen: screen(() => import("./screens/runs/run")), audience: "signed-in" },
  { path: "/live", screen: screen(() => import("./screens/live/screen")), audience: "admin" },
  { path: "/studies", screen: screen(() => import("./screens/studies/screen")), audience: "signed-in" },
  {
    path: "/studies/new",
    screen: screen(() => import("./screens/studies/new-study")),
    audience: "signed-in",
  },
  { path: "/studies/:id", screen: screen(() => import("./screens/studies/study")), audience: "signed-in" },
  {
    path: "/facility/first-hour",
    screen: screen(() => import("./screens/first-hour/screen")),
    audience: "admin",
  },
  { path: "/facility/forms", screen: screen(() => import("./screens/forms/screen")), audience: "admin" },
  { path: "/facility/people", screen: screen(() => import("./screens/people/screen")), audience: "admin" },
  {
    path: "/facility/webhooks",
    screen: screen(() => import("./screens/webhooks/screen")),
    audience: "admin",
  },
  { path: "/facility/mail", screen: screen(() => import("./screens/mail/screen")), audience: "admin" },
  {
    path: "/facility/pipelines",
    screen: screen(() => import("./screens/pipelines/screen")),
    audience: "admin",
  },
  {
    path: "/facility/pipelines/:id",
    screen: screen(() => import("./screens/pipelines/pipeline")),
    audience: "admin",
  },
  { path: "/facility/catalog", screen: screen(() => import("./screens/catalog/screen")), audience: "admin" },
  {
    path: "/facility/checklists",
    screen: screen(() => import("./screens/checklists/screen")),
    audience: "admin",
  },
  {
    path: "/facility/checklists/:accession",
    screen: screen(() => import("./screens/checklists/checklist")),
    audience: "admin",
  },
  {
    path: "/facility/registry",
    screen: screen(() => import("./screens/registry/screen")),
    audience: "admin",
  },
  { path: "/facility/numbers", screen: screen(() => import("./screens/numbers/screen")), audience: "admin" },
  {
    path: "/facility/settings",
    screen: screen(() => import("./screens/settings/screen")),
    audience: "admin",
  },
  { path: "/facility/health", screen: screen(() => import("./screens/health/screen")), audience: "admin" },
  { path: "/facility/audit", screen: screen(() => import("./screens/audit/screen")), audience: "admin" },
];

export interface Link {
  readonly href: string;
  readonly label: string;
  readonly icon: IconName;
  readonly audience: Audience;
  /** Whose unread number stands beside it. */
  readonly unread?: "messages";
}

/** The rail, from top to bottom. Only places that exist are in it. */
export const rail: readonly Link[] = [
  { href: "/", label: frame.places.myWork, icon: "home", audience: "researcher" },
  { href: "/", label: frame.places.today, icon: "today", audience: "admin" },
  { href: "/orders", label: frame.places.orders, icon: "orders", audience: "signed-in" },
  { href: "/runs", label: frame.places.runs, icon: "runs", audience: "signed-in" },
  { href: "/live", label: frame.places.live, icon: "live", audience: "admin" },
  { href: "/studies", label: frame.places.studies, icon: "studies", audience: "signed-in" },
  {
    href: "/messages",
    label: frame.places.messages,
    icon: "messages",
    audience: "signed-in",
    unread: "messages",
  },
];

/** Below the rail's first part, for admins. */
export const facilityRail: readonly Link[] = [
  { href: "/facility/pipelines", label: frame.places.pipelines, icon: "pipelines", audience: "admin" },
  { href: "/facility/catalog", label: frame.places.catalog, icon: "catalog", audience: "admin" },
  { href: "/facility/forms", label: frame.places.forms, icon: "forms", audience: "admin" },
  { href: "/facility/checklists", label: frame.places.checklists, icon: "checklists", audience: "admin" },
  { href: "/facility/people", label: frame.places.people, icon: "people", audience: "admin" },
  { href: "/facility/numbers", label: frame.places.numbers, icon: "numbers", audience: "admin" },
  { href: "/facility/settings", label: frame.places.settings, icon: "settings", audience: "admin" },
  { href: "/facility/health", label: frame.places.health, icon: "health", audience: "admin" },
  { href: "/facility/mail", label: frame.places.mail, icon: "mail", audience: "admin" },
  { href: "/facility/webhooks", label: frame.places.webhooks, icon: "link", audience: "admin" },
  { href: "/facility/registry", label: frame.places.registry, icon: "registry", audience: "admin" },
  { href: "/facility/audit", label: frame.places.audit, icon: "audit", audience: "admin" },
];
