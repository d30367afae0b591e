/** Write the address of a page with some of its query changed; null takes a key away. */
export function addressWith(
  path: string,
  query: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string | null>> = {},
): string {
  const next = new URLSearchParams(query);
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === "") next.delete(key);
    else next.set(key, value);
  }
  const text = next.toString();
  return text === "" ? path : `${path}?${text}`;
}
