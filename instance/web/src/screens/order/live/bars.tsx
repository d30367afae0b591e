import { useState } from "preact/hooks";
import { bases, share, streamText, liveText as text } from "../../../text/en/live";
import { count } from "../../../text/format";
import { Figure } from "./figure";
import { ranked } from "./series";
import { type Metrics, nameOf } from "./state";

/** Bases of each barcode, most first, with a line where each sample would be if all had the same. */
export function Bars({ metrics }: { metrics: Metrics }) {
  const [held, setHeld] = useState<readonly string[] | null>(null);
  const { totals, expectedShare } = metrics;
  const shown = ranked(metrics.barcodes, held);
  const mapped = metrics.barcodes.reduce((sum, row) => sum + (row.sampleId === null ? 0 : row.bases), 0);
  const expected = expectedShare === null ? null : expectedShare * mapped;
  const most = Math.max(1, ...shown.map((row) => row.bases), expected ?? 0);
  const part = (value: number): string => `${(100 * value) / most}%`;
  return (
    <Figure
      title={text.byBarcode}
      isEmpty={totals.reads === 0}
      columns={[text.barcode, text.sample, streamText.reads, streamText.bases, text.shareOfAll]}
      rows={() =>
        shown.map((row) => [
          row.barcode,
          nameOf(row) ?? text.noSample,
          count(row.reads),
          bases(row.bases),
          share(row.bases / Math.max(1, totals.bases)),
        ])
      }
    >
      {expected !== null && <p class="muted live-expected">{text.expected(expectedShare ?? 0)}</p>}
      <ul
        class="live-bars"
        aria-label={text.byBarcode}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        onPointerEnter={() => setHeld(shown.map(({ barcode }) => barcode))}
        onPointerLeave={() => setHeld(null)}
      >
        {shown.map((row) => (
          <li key={row.barcode} class="live-bar" title={`${row.barcode}: ${bases(row.bases)}`}>
            <span class="live-bar-name">{nameOf(row) ?? row.barcode}</span>
            <span class="live-bar-track">
              <span
                class="live-bar-fill"
                data-unknown={row.sampleId === null || undefined}
                style={{ inlineSize: part(row.bases) }}
              />
              {expected !== null && expected > 0 && (
                <span class="live-bar-expected" style={{ insetInlineStart: part(expected) }} />
              )}
            </span>
            <span class="live-bar-value">{bases(row.bases)}</span>
          </li>
        ))}
      </ul>
    </Figure>
  );
}
