import { correction, generate } from "lean-qr/nano";
import { useMemo } from "preact/hooks";

/** Empty modules around the code, without which cameras don't find it. */
const MARGIN = 4;

/** A QR code as a drawing, made in this page: the secret in it goes nowhere. Black on white in both themes. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawn(text), [text]);
  const side = size + 2 * MARGIN;
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <path class="qr-ground" d={`M0 0h${side}v${side}H0z`} />
      <path class="qr-ink" d={path} />
    </svg>
  );
}

function drawn(text: string): { size: number; path: string } {
  const code = generate(text, { minCorrectionLevel: correction.M });
  let path = "";
  for (let y = 0; y < code.size; y += 1) {
    for (let x = 0; x < code.size; x += 1) {
      if (code.get(x, y)) path += `M${x + MARGIN} ${y + MARGIN}h1v1h-1z`;
    }
  }
  return { size: code.size, path };
}
