import { places } from "./routes";

/** Whether a page stands at an address; `:name` of a place is any word, `:name?` may be missing. */
export function isPlace(href: string): boolean {
  const parts = (href.split("?")[0] ?? "").split("/");
  return places.some(({ path }) => {
    const pattern = path.split("/");
    const needed = pattern.filter((part) => !part.endsWith("?")).length;
    if (parts.length < needed || parts.length > pattern.length) return false;
    return parts.every((part, place) => pattern[place]?.startsWith(":") || pattern[place] === part);
  });
}
