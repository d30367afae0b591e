"""What a person does with a table of samples in a browser: type, paste, point and drag."""

from playwright.sync_api import FloatRect, Locator, Page, expect


def cell(page: Page, row: int, label: str) -> Locator:
    """Return a cell by its row, from 1, and the name of its column."""
    header = page.get_by_role("columnheader", name=label, exact=True)
    place = header.get_attribute("aria-colindex")
    return page.locator(f'[role="row"][aria-rowindex="{row + 1}"] > [aria-colindex="{place}"]')


def type_into(page: Page, row: int, label: str, text: str) -> None:
    cell(page, row, label).click()
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def paste(page: Page, text: str) -> None:
    """Press Ctrl V with a text on the clipboard."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+v")


def expect_texts(page: Page, label: str, texts: list[str]) -> None:
    """Wait until these stand in the first rows of a column."""
    for row, text in enumerate(texts, start=1):
        expect(cell(page, row, label)).to_have_text(text)


def select(page: Page, begin: tuple[int, str], end: tuple[int, str]) -> None:
    """Drag the pointer from one cell to another one."""
    _drag(page, _centre(_box(cell(page, *begin))), cell(page, *end))


def drag_handle(page: Page, corner: tuple[int, str], end: tuple[int, str]) -> None:
    """Drag the fill handle of a selection, which is at the corner of its last cell."""
    box = _box(cell(page, *corner))
    _drag(page, (box["x"] + box["width"] - 3, box["y"] + box["height"] - 3), cell(page, *end))


def saved(page: Page) -> None:
    # What has failed is tried again after five seconds.
    expect(page.get_by_role("status", name="Saved")).to_contain_text("Saved ", timeout=20_000)


def _drag(page: Page, begin: tuple[float, float], end: Locator) -> None:
    page.mouse.move(*begin)
    page.mouse.down()
    page.mouse.move(*_centre(_box(end)), steps=4)
    page.mouse.up()


def _box(place: Locator) -> FloatRect:
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    assert box is not None
    return box


def _centre(box: FloatRect) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
