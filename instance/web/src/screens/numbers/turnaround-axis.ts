const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The seconds of the unit in which these times are drawn: that of the longest; days from two days on.
 *
 * Decision: G1125.
 */
export function unitOf(times: readonly (number | null)[]): number {
  const longest = Math.max(0, ...times.map((seconds) => seconds ?? 0));
  if (longest >= 2 * DAY) return DAY;
  if (longest >= HOUR) return HOUR;
  return longest >= MINUTE ? MINUTE : 1;
}
