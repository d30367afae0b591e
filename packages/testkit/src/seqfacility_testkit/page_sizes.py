"""What the built pages cost a browser: each file as gzip, which every browser takes."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class PageSizes:
    """The chunks of a build by their keys in its manifest."""

    folder: Path
    manifest: dict[str, dict[str, Any]]

    @classmethod
    def read(cls, folder: Path) -> "PageSizes":
        return cls(folder, json.loads((folder / ".vite/manifest.json").read_text("utf-8")))

    def sent(self, name: str) -> int:
        """Return what a file costs on its way."""
        zipped = self.folder / f"{name}.gz"
        return (zipped if zipped.exists() else self.folder / name).stat().st_size

    def first(self) -> set[str]:
        """Return the chunk that the document names, and all that it imports."""
        named = re.findall(r'src="/(assets/[^"]+\.js)"', (self.folder / "index.html").read_text("utf-8"))
        (entry,) = (key for key, chunk in self.manifest.items() if [chunk["file"]] == named)
        return self.at_once(entry)

    def at_once(self, key: str) -> set[str]:
        """Return a chunk and all that it imports before it runs."""
        found, ahead = set(), [key]
        while ahead:
            one = ahead.pop()
            if one not in found:
                found.add(one)
                ahead += self.manifest[one].get("imports", [])
        return found

    def scripts(self, keys: set[str]) -> int:
        return sum(self.sent(self.manifest[key]["file"]) for key in keys)

    def styles(self, keys: set[str]) -> int:
        return sum(self.sent(style) for style in {one for key in keys for one in self._styles(key)})

    def chunk(self, name: str) -> set[str]:
        """Return the chunk of a name that the build gives: `grid`; nothing where there is none."""
        return {key for key, one in self.manifest.items() if one.get("name") == name and self._is_script(key)}

    def routes(self, apart: tuple[str, ...]) -> dict[str, int]:
        """Return what each screen costs who has seen another page: all but the chunks that have a budget."""
        known = self.first().union(*(self.chunk(name) for name in apart))
        keys = [key for key, one in self.manifest.items() if one.get("isDynamicEntry")]
        further = {key: self.at_once(key) - known for key in keys}
        return {key: self.scripts(chunks) + self.styles(chunks) for key, chunks in further.items()}

    def fonts(self) -> int:
        """Add up the fonts of a Latin page. Latin-extended comes only where a name has such a letter."""
        fonts = [file for file in (self.folder / "assets").glob("*.woff2") if "-latin-ext-" not in file.name]
        return sum(file.stat().st_size for file in fonts)

    def _styles(self, key: str) -> list[str]:
        styles: list[str] = self.manifest[key].get("css", [])
        return styles

    def _is_script(self, key: str) -> bool:
        return str(self.manifest[key]["file"]).endswith(".js")
