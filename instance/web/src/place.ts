import { type Place, places } from "./routes";

/** The places of an address; `:name` of a place is any word, `:name?` may be missing. */
export function placesAt(href: string): readonly Place[] {
  const parts = (href.split("?")[0] ?? "").split("/");
  return places.filter(({ path }) => {
    const pattern = path.split("/");
    const needed = pattern.filter((part) => !part.endsWith("?")).length;
    if (parts.length < needed || parts.length > pattern.length) return false;
    return parts.every((part, place) => pattern[place]?.startsWith(":") || pattern[place] === part);
  });
}

/** Whether a page stands at an address. */
export const isPlace = (href: string): boolean => placesAt(href).length > 0;
