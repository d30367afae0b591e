export interface Piece {
  /** Where it begins in the text. */
  at: number;
  words: string;
  /** Set when the words are an address. */
  href: string | null;
}

const ADDRESS = /https?:\/\/[^\s<>"']+/g;
const TRAILING = /[.,;:!?)\]}]+$/;

/** Split a text into words and web addresses; a full stop after an address belongs to the sentence. */
export function splitLinks(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const words = match[0].replace(TRAILING, "");
    if (!URL.canParse(words)) continue;
    if (match.index > end) pieces.push({ at: end, words: text.slice(end, match.index), href: null });
    pieces.push({ at: match.index, words, href: words });
    end = match.index + words.length;
  }
  if (end < text.length) pieces.push({ at: end, words: text.slice(end), href: null });
  return pieces;
}
