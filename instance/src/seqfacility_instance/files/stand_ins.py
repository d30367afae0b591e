"""What a demo session sees in place of a report: a document that says that it is one of a demonstration."""

import json
from html import escape

_FONT = b"<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
_TEXT = "This is a demonstration report. It was generated for the public demo and holds no facility data."


def stand_in(name: str) -> bytes:
    """Make a document of the type that `name` asks for. Decision: G249."""
    makers = {
        "html": _html,
        "htm": _html,
        "pdf": _pdf,
        "json": _json,
        "csv": _csv,
        "tsv": _tsv,
    }
    return makers.get(name.rpartition(".")[2].lower(), _plain)(name)


def _json(name: str) -> bytes:
    return json.dumps({"demonstration": True, "name": name, "text": _TEXT}).encode()


def _csv(name: str) -> bytes:
    quoted = name.replace('"', "_")
    return f'name,text\n"{quoted}","{_TEXT}"\n'.encode()


def _tsv(name: str) -> bytes:
    return f"name\ttext\n{name}\t{_TEXT}\n".encode()


def _plain(name: str) -> bytes:
    return f"{name}\n\n{_TEXT}\n".encode()


def _html(name: str) -> bytes:
    title = escape(name)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>\n'
        f"<body><h1>{title}</h1><p>{_TEXT}</p></body></html>\n"
    ).encode()


def _pdf(_name: str) -> bytes:
    """Write the smallest PDF that shows one line of text."""
    content = f"BT /F1 12 Tf 40 780 Td ({_TEXT[:33]}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << %b >> >>"
        % _FONT,
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content),
    ]
    document, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(document))
        document += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = (
        b"xref\n0 5\n0000000000 65535 f \n%btrailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
    )
    return document + trailer % (table, len(document))
