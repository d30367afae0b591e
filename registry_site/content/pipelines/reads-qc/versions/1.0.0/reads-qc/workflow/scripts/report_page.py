"""The look of a report: one HTML file that needs nothing else, on screen and on paper.

The same file lies in each of the facility's own pipelines that write a report.
"""

from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
:root { color-scheme: light dark; --line: #c9d1d9; --quiet: #57606a; --mark: #1f6feb; --warn: #9a6700; }
@media (prefers-color-scheme: dark) { :root { --line: #3d444d; --quiet: #9da7b1; --mark: #79b8ff; --warn: #e3b341; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p.quiet { color: var(--quiet); margin: 0 0 1rem; } .scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--quiet); padding: .25rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .6rem; text-align: right; white-space: nowrap; }
th:first-child, td:first-child, td.text, th.text { text-align: left; } td.text { white-space: normal; }
td.warn { color: var(--warn); font-weight: 600; } figure { margin: 1rem 0; display: inline-block; }
figcaption { color: var(--quiet); font-size: .85rem; } svg text { fill: currentColor; font: 10px system-ui, sans-serif; }
.notes li { color: var(--warn); }
"""


def page(title: str, subtitle: str, parts: Iterable[str]) -> str:
    """Put a whole page together; `parts` are pieces of HTML."""
    body = "\n".join(parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f'<h1>{escape(title)}</h1>\n<p class="quiet">{escape(subtitle)}</p>\n{body}\n</body>\n</html>\n'
    )


def table(caption: str, header: Sequence[str], lines: Iterable[Sequence[str]], text_columns: int = 1) -> str:
    """Write a table; the first `text_columns` columns hold words, the others figures."""
    kinds = ['class="text"' if at < text_columns else "" for at in range(len(header))]
    head = "".join(
        f'<th scope="col" {kind}>{escape(word)}</th>' for word, kind in zip(header, kinds, strict=True)
    )
    rows = "\n".join(
        "<tr>"
        + "".join(f"<td {kind}>{escape(cell)}</td>" for cell, kind in zip(line, kinds, strict=True))
        + "</tr>"
        for line in lines
    )
    return (
        f'<div class="scroll"><table><caption>{escape(caption)}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>"
    )


def notes(lines: Sequence[str]) -> str:
    """List what a person should look at; nothing when there is nothing."""
    if not lines:
        return ""
    return '<ul class="notes">' + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"


def heading(text: str) -> str:
    """Begin a section."""
    return f"<h2>{escape(text)}</h2>"


def line_chart(caption: str, labels: Sequence[str], values: Sequence[float], top: float) -> str:
    """Draw values along the read, from 0 to `top`, with labels at both ends and at the middle."""
    width, height, left, foot = 320, 120, 26, 16
    step = (width - left) / max(len(values) - 1, 1)
    points = " ".join(
        f"{left + at * step:.1f},{height - foot - min(value, top) / top * (height - foot - 4):.1f}"
        for at, value in enumerate(values)
    )
    marks = "".join(
        f'<text x="{left + at * step:.1f}" y="{height - 3}" '
        f'text-anchor="{anchor}">{escape(labels[at])}</text>'
        for at, anchor in ((0, "start"), (len(labels) // 2, "middle"), (len(labels) - 1, "end"))
    )
    floor = height - foot
    return (
        f'<figure><svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="{escape(caption)}">'
        f'<path d="M{left} 4V{floor}H{width}" fill="none" stroke="var(--line)"/>'
        f'<text x="{left - 4}" y="12" text-anchor="end">{top:g}</text>'
        f'<text x="{left - 4}" y="{floor}" text-anchor="end">0</text>{marks}'
        f'<polyline points="{points}" fill="none" stroke="var(--mark)" stroke-width="1.5"/></svg>'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


def count(value: int | None) -> str:
    """Write a whole number with thin spaces between thousands."""
    return "–" if value is None else f"{value:,}".replace(",", "\u202f")


def percent(part: float, whole: float) -> str:
    """Write a share; a dash when there is no whole."""
    return f"{100 * part / whole:.1f} %" if whole else "–"
