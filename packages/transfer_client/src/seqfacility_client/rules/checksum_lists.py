"""Lists of MD5 that lie beside their files, as md5sum, BSD's md5 and sequencing centres write them."""

import re

_MD5SUM = re.compile(r"\\?([0-9a-f]{32})[ \t]+\*?(.+)", re.IGNORECASE)
_BSD = re.compile(r"MD5 ?\((.+)\) ?= ?([0-9a-f]{32})", re.IGNORECASE)
_ALONE = re.compile(r"[0-9a-f]{32}", re.IGNORECASE)


def is_checksum_list(name: str) -> bool:
    """Whether a name is that of a list of MD5. Decision: G427."""
    lowered = name.lower()
    return lowered == "md5sum.txt" or (lowered.endswith(".md5") and lowered != ".md5")


def listed_checksums(name: str, text: str) -> dict[str, str]:
    """Return the MD5 of each path in a list called `name`; lines that are none are passed over.

    A checksum alone, in `soil_R1.fastq.gz.md5`, is that of the file the list is called after.

    Decision: G427.
    """
    found: dict[str, str] = {}
    for line in map(str.strip, text.splitlines()):
        if match := _MD5SUM.fullmatch(line):
            found[match[2].strip()] = match[1].lower()
        elif match := _BSD.fullmatch(line):
            found[match[1]] = match[2].lower()
        elif _ALONE.fullmatch(line):
            found[name[: -len(".md5")]] = line.lower()
    return found
