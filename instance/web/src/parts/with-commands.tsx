/** What the server says: what stands between backticks is typed somewhere. */
export function WithCommands({ words }: { words: string }) {
  return (
    <>{words.split("`").map((part, place) => (place % 2 === 1 ? <code key={place}>{part}</code> : part))}</>
  );
}
