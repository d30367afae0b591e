"""The look of a report: one HTML file that needs nothing else, on screen, on a projector and on paper.

The same file lies in each of the facility's own pipelines that write a report.
"""

from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
:root { color-scheme: light dark;
  --line: #c9d1d9; --quiet: #4d5661; --rest: #d0d7de; --mark: #1f6feb; --tail: #8250df; --low: #fdecd2;
  --warn: #8a4600; --warn-back: #fff3dc; --good: #1a7f37; --good-back: #e9f7ec; }
@media (prefers-color-scheme: dark) { :root {
  --line: #3d444d; --quiet: #a9b3bd; --rest: #3d444d; --mark: #79b8ff; --tail: #c297ff; --low: #33260c;
  --warn: #f0b850; --warn-back: #33260c; --good: #5cd07a; --good-back: #12291a; } }
* { box-sizing: border-box; }
body { font: 17px/1.5 system-ui, sans-serif; margin: 1.5rem auto 3rem; max-width: 84rem; padding: 0 1.25rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.35rem; margin: 2.2rem 0 .6rem; }
h3 { font-size: 1.1rem; margin: 0 0 .3rem; }
p { margin: .3rem 0 .8rem; } .quiet { color: var(--quiet); }
.verdict { font-size: 1.35rem; font-weight: 600; margin: 1.2rem 0 .8rem; }
.sides { display: flex; flex-wrap: wrap; gap: 1rem; }
.sides > section { flex: 1 1 24rem; border-radius: 4px; padding: .7rem 1rem; }
.good { border-left: 6px solid var(--good); background: var(--good-back); } .good h3 { color: var(--good); }
.look { border-left: 6px solid var(--warn); background: var(--warn-back); } .look h3 { color: var(--warn); }
.sides ul { margin: 0; padding-left: 1.2rem; } .sides li { margin: .3rem 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; margin-bottom: .6rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--quiet); padding: 0 0 .5rem; }
th, td { border-bottom: 1px solid var(--line); padding: .45rem .6rem; text-align: right; font-size: .95rem; }
th { vertical-align: bottom; line-height: 1.25; border-bottom-width: 2px; } td { white-space: nowrap; }
th.text, td.text { text-align: left; }
td.text { white-space: normal; overflow-wrap: break-word; min-width: 9rem; max-width: 18rem; }
td.warn { color: var(--warn); background: var(--warn-back); font-weight: 700; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .7rem 0; padding: .5rem 1rem; }
summary { cursor: pointer; font-weight: 600; font-size: 1.1rem; overflow-wrap: anywhere; }
.state { font-size: .95rem; margin-left: .7rem; } .ok { color: var(--good); } .watch { color: var(--warn); }
.pair { display: flex; flex-wrap: wrap; gap: .5rem 2rem; }
figure { margin: .8rem 0; flex: 1 1 27rem; max-width: 40rem; }
figcaption { font-weight: 600; font-size: .95rem; margin-bottom: .2rem; overflow-wrap: anywhere; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: currentColor; font: 13px system-ui, sans-serif; }
.bar { display: flex; height: 1.5rem; min-width: 10rem; border-radius: 3px; overflow: hidden; }
.bar { background: var(--rest); } .bar i { display: block; }
.key { margin-right: 1.5rem; white-space: nowrap; }
.key i { display: inline-block; width: .9em; height: .9em; border-radius: 2px; margin-right: .4em; }
.kept { background: var(--mark); } .short { background: var(--warn); } .unknown { background: var(--tail); }
@media print { body { font-size: 12px; max-width: none; } details, tr, figure { break-inside: avoid; } }
"""


OPEN = ' open=""'
"""Written so that the page is well-formed XML too, and programs can read it."""


class Marked(str):
    """A cell of a table that deserves a look."""

    __slots__ = ()


class Drawn(str):
    """A cell that is HTML already."""

    __slots__ = ()


def page(title: str, subtitle: str, parts: Iterable[str]) -> str:
    """Put a whole page together; `parts` are pieces of HTML."""
    body = "\n".join(parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f'<h1>{escape(title)}</h1>\n<p class="quiet">{escape(subtitle)}</p>\n{body}\n</body>\n</html>\n'
    )


def verdict(headline: str, good: Sequence[str], look: Sequence[str]) -> str:
    """Say in plain words how things stand: what is good, and what a person should look at."""
    sides = [("good", "What is good", good), ("look", "What to look at", look)]
    sections = "\n".join(
        f'<section class="{kind}"><h3>{title}</h3><ul>'
        + "".join(f"<li>{escape(line)}</li>" for line in lines)
        + "</ul></section>"
        for kind, title, lines in sides
        if lines
    )
    return f'<p class="verdict">{escape(headline)}</p>\n<div class="sides">{sections}</div>'


def table(caption: str, header: Sequence[str], lines: Iterable[Sequence[str]], text_columns: int = 1) -> str:
    """Write a table; the first `text_columns` columns hold words, the others figures."""
    head = "".join(
        f'<th scope="col"{_kind(at < text_columns, "")}>{escape(word)}</th>' for at, word in enumerate(header)
    )
    rows = "\n".join(
        "<tr>"
        + "".join(
            f"<td{_kind(at < text_columns, cell)}>{cell if isinstance(cell, Drawn) else escape(cell)}</td>"
            for at, cell in enumerate(line)
        )
        + "</tr>"
        for line in lines
    )
    return (
        f'<div class="scroll"><table><caption>{escape(caption)}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>"
    )


def section(title: str, state: str, watch: bool, opened: bool, content: str) -> str:
    """Write a part that a person opens and closes; it needs no script."""
    kind = "watch" if watch else "ok"
    return (
        f"<details{OPEN if opened else ''}><summary>{escape(title)}"
        f'<span class="state {kind}">{escape(state)}</span></summary>\n{content}\n</details>'
    )


def heading(text: str) -> str:
    """Begin a part of the page."""
    return f"<h2>{escape(text)}</h2>"


def paragraph(text: str) -> str:
    """Write a quiet remark."""
    return f'<p class="quiet">{escape(text)}</p>'


def count(value: int | None) -> str:
    """Write a whole number with thin spaces between thousands."""
    return "–" if value is None else f"{value:,}".replace(",", "\u202f")


def amount(value: int) -> str:
    """Write a number of bases so that it is read at a glance: `1.24 M`; small ones in full."""
    for unit, size in (("T", 10**12), ("G", 10**9), ("M", 10**6)):
        if value >= size:
            return f"{value / size:.2f}\u202f{unit}"
    return count(value)


def percent(part: float, whole: float) -> str:
    """Write a share; a dash when there is no whole."""
    return f"{100 * part / whole:.1f}\u202f%" if whole else "–"


def several(number: int, one: str, many: str) -> str:
    """Write a number with the word that fits it."""
    return f"{count(number)} {one if number == 1 else many}"


def _kind(words: bool, cell: str) -> str:
    names = [*(["text"] if words else []), *(["warn"] if isinstance(cell, Marked) else [])]
    return f' class="{" ".join(names)}"' if names else ""
