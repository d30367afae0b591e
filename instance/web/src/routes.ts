import type { ComponentType } from "preact";
import type { IconName } from "./parts/icons";
import { screen } from "./screen";
import { frame } from "./text/en/frame";

type Audience = "anybody" | "signed-in" | "researcher" | "admin";

export interface Place {
  /** `:name` is a part of the address, `:name?` may be missing. */
  readonly path: string;
  readonly screen: ComponentType;
  readonly audience: Audience;
}

/** Every address of the pages. A screen is fetched when somebody first goes there. */
export const places: readonly Place[] = [
  { path: "/sign-in", screen: screen(() => import("./screens/sign-in/screen")), audience: "anybody" },
  { path: "/orders/new", screen: screen(() => import("./screens/new-order/screen")), audience: "signed-in" },
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
];

/** Below the rail's first part, for admins. */
export const facilityRail: readonly Link[] = [];
