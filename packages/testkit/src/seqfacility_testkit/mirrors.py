"""Mirrors of files whose owner changes them."""

from pathlib import Path


def list_anew(root: Path) -> None:
    """Make list, pages and server files of an export again from what lies there, as a liar would."""
    from seqfacility_registry.export import write_files
    from seqfacility_registry.web_root import FILE_LIST, Layout, answered_at, web_root, without_pages

    files = {path.relative_to(root).as_posix(): path for path in root.rglob("*") if path.is_file()}
    layout = Layout.INDEX if "server/nginx.conf" in files else Layout.PLAIN
    answers = {
        answered_at(name): path.read_bytes()
        for name, path in files.items()
        if name != FILE_LIST and name.startswith(("api/", "ga4gh/", "images/"))
    }
    try:
        write_files(root, web_root(answers, layout), layout)
    except ValueError:  # no page can be made of what was changed: the former ones stay
        write_files(root, without_pages(answers, layout), layout)
