"""A person who has no mouse: every step is a key, and after each the focus must be somewhere to be seen."""

import json
from dataclasses import dataclass
from typing import Any, cast

from playwright.sync_api import Locator, Page, expect

MOST_TABS = 120
"""More stops than any page has; who did not arrive by then walks in a circle."""

# What is focused, as a person finds it. A ring may be drawn by what stands for the element: the cell that a
# grid names as its active one, or the box around a control. Headings and regions only receive the focus after
# a move and can't be operated, so they need no ring.
_SEEN = """() => {
  const one = document.activeElement;
  const says = (element) => element.outerHTML.slice(0, 160);
  if (one === null || one === document.body || one === document.documentElement) return { lost: true };
  const found = { lost: false, element: says(one), frame: one.tagName === "IFRAME" };
  if (one.tabIndex < 0 && !one.matches("a, button, input, select, textarea, [role]")) return found;
  const active = document.getElementById(one.getAttribute("aria-activedescendant") ?? "");
  const drawn = (element) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderTopWidth } = getComputedStyle(element);
    const ring = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
    return (ring && !/, 0\\)|transparent/.test(outlineColor)) || parseFloat(borderTopWidth) >= 2 ||
      (element === active && boxShadow !== "none");
  };
  const around = [one, active, one.closest("label, .grid-editor, .grid-frame")].filter(Boolean);
  const { top, bottom, left, right, width, height } = (active ?? one).getBoundingClientRect();
  const inside = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  const x = Math.min(Math.max((left + right) / 2, 0), innerWidth - 1);
  const y = Math.min(Math.max((Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2, 0), innerHeight - 1);
  const there = document.elementFromPoint(x, y);
  const mine = [active ?? one, one.closest("label")].filter(Boolean);
  const isCovered = there !== null && !mine.some((own) => own.contains(there) || there.contains(own));
  return {
    ...found,
    ringless: !around.some(drawn),
    outside: !inside || width === 0 || height === 0,
    covered: isCovered ? says(there) : null,
  };
}"""

# What can be operated here and now; under a dialog nothing can. Of a group that has one stop (tabs, tiles, a
# menu, radio buttons) the others are reached by the arrow keys.
_OPERABLE = """() => [...([...document.querySelectorAll("dialog:modal")].at(-1) ?? document).querySelectorAll(
    "a[href], button, input, select, textarea, summary, iframe, [tabindex='0']")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.closest("[inert]") === null)
  .filter((one) => one.tabIndex >= 0 && !one.disabled)
  .filter((one) => one.type !== "radio" || one.checked ||
    document.querySelector(`input[name="${CSS.escape(one.name)}"]:checked`) === null &&
    document.querySelector(`input[name="${CSS.escape(one.name)}"]:not(:disabled)`) === one)
  .map((one) => {
    one.dataset.stop ??= String(++globalThis.lastStop || (globalThis.lastStop = 1));
    return [one.dataset.stop, one.outerHTML.slice(0, 160)];
  })"""


@dataclass(frozen=True, slots=True)
class Keyboard:
    """Presses keys on a page. Each step fails when the focus is lost, not to be seen, or covered."""

    page: Page

    def press(self, key: str) -> None:
        """Press a key, and look where the focus is."""
        self.page.keyboard.press(key)
        self.look(key)

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        self.page.keyboard.type(text)
        self.look(text)

    def look(self, after: str) -> None:
        """Fail unless a person sees where they are. A page that comes may take its moment."""
        seen: dict[str, Any] = {}
        for _moment in range(100):
            seen = self.page.evaluate(_SEEN)
            if not self._problems(seen):
                return
            self.page.wait_for_timeout(50)
        assert self._problems(seen) == [], f"after {after!r} on {self.page.url}: {json.dumps(seen, indent=1)}"

    def walk_to(self, target: Locator, *, backwards: bool = False) -> None:
        """Press Tab until something has the focus. After the last stop comes the browser's own bar."""
        expect(target).to_be_visible()
        key = "Shift+Tab" if backwards else "Tab"
        for _stop in range(MOST_TABS):
            if self.has_focus(target):
                return
            self.page.keyboard.press(key)
            if self.page.evaluate(_SEEN)["lost"]:
                self.page.keyboard.press(key)
            self.look(key)
        raise AssertionError(f"{target} on {self.page.url} is not reached by {MOST_TABS} times Tab")

    def has_focus(self, target: Locator) -> bool:
        return cast("bool", target.evaluate("one => one === document.activeElement"))

    def choose(self, target: Locator, *, backwards: bool = False) -> None:
        """Walk to a button or a link and press it."""
        self.walk_to(target, backwards=backwards)
        self.press("Enter")

    def fill(self, target: Locator, text: str) -> None:
        """Walk to a field and type."""
        self.walk_to(target)
        self.type(text)
        expect(target).to_have_value(text)

    def walk_everywhere(self) -> None:
        """Walk through the whole page with Tab, and fail for what can be operated and is not on the way."""
        wanted: dict[str, str] = dict(self.page.evaluate(_OPERABLE))
        passed: set[str] = set()
        for _stop in range(2 * len(wanted) + 20):
            self.page.keyboard.press("Tab")
            seen = self.page.evaluate(_SEEN)
            if seen["lost"]:
                continue  # the end of the page: the browser's own bar is next
            self.look("Tab")
            passed.add(self.page.evaluate("() => document.activeElement.dataset.stop ?? ''"))
            if passed >= wanted.keys():
                return
        left_out = [words for stop, words in wanted.items() if stop not in passed]
        assert left_out == [], f"no way with Tab on {self.page.url} to\n" + "\n".join(left_out)

    @staticmethod
    def _problems(seen: dict[str, Any]) -> list[str]:
        return [name for name in ("lost", "ringless", "outside", "covered") if seen.get(name)]
