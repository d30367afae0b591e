import { exec } from "preact-iso/router";
import { places } from "./routes";

/** Whether a page stands at an address. */
export function isPlace(href: string): boolean {
  const path = href.split("?")[0] ?? href;
  return places.some((place) => exec(path, place.path, { path, query: {}, params: {} }) !== undefined);
}
