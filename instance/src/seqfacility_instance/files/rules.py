"""Pure decisions on files: which kinds may be downloaded or previewed, and as what."""

from typing import Final

ASSEMBLY_EXTENSIONS: Final = (".fa", ".fasta", ".fna")
_REPORTS: Final = (
    *(".html", ".htm", ".pdf", ".txt", ".tsv", ".csv", ".json", ".log", ".xml", ".yaml", ".yml", ".md"),
    *(".md5", ".sha256", ".xlsx", ".svg", ".png"),
)
_ANALYSIS: Final = (".bam", ".bai", ".cram", ".crai", ".vcf", ".bed", ".gff", ".gff3", ".gbk", ".paf")
PREVIEW_TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "htm": "text/html; charset=utf-8",
    "pdf": "application/pdf",
    "txt": "text/plain; charset=utf-8",
    "tsv": "text/tab-separated-values; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "log": "text/plain; charset=utf-8",
    "json": "application/json; charset=utf-8",
}


def is_downloadable(path: str, read_extensions: list[str], extra_extensions: list[str]) -> bool:
    """Tell whether a file may be downloaded by its extension, whatever its case. Gap: G119."""
    packed = (*ASSEMBLY_EXTENSIONS, *_REPORTS, *_ANALYSIS)
    whole = (".zip", *(ending.lower() for ending in (*read_extensions, *extra_extensions)))
    lower = path.lower()
    return lower.removesuffix(".gz").endswith(packed) or lower.endswith(whole)


def is_assembly_name(path: str) -> bool:
    """Tell whether a file has an extension of assemblies. Spec: instance, File operations."""
    return path.lower().removesuffix(".gz").endswith(ASSEMBLY_EXTENSIONS)


def preview_type(path: str) -> str | None:
    """Choose the content type of a preview; None when such a file has none. Gap: G123, G124, G288."""
    name = path.rpartition("/")[2]
    return PREVIEW_TYPES.get(name.rpartition(".")[2].lower()) if "." in name else None
