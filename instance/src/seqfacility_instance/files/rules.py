"""Pure decisions on files: which kinds may be downloaded."""

from typing import Final

ASSEMBLY_EXTENSIONS: Final = (".fa", ".fasta", ".fna")
_REPORTS: Final = (
    *(".html", ".htm", ".pdf", ".txt", ".tsv", ".csv", ".json", ".log", ".xml", ".yaml", ".yml", ".md"),
    *(".md5", ".sha256", ".xlsx", ".svg", ".png"),
)
_ANALYSIS: Final = (".bam", ".bai", ".cram", ".crai", ".vcf", ".bed", ".gff", ".gff3", ".gbk", ".paf")


def is_downloadable(path: str, read_extensions: list[str], extra_extensions: list[str]) -> bool:
    """Return whether a file may be downloaded by its extension, whatever its case. Decision: G119."""
    packed = (*ASSEMBLY_EXTENSIONS, *_REPORTS, *_ANALYSIS)
    whole = (".zip", *(ending.lower() for ending in (*read_extensions, *extra_extensions)))
    lower = path.lower()
    return lower.removesuffix(".gz").endswith(packed) or lower.endswith(whole)


def is_assembly_name(path: str) -> bool:
    """Return whether a file has an extension of assemblies. Spec: instance, File operations."""
    return path.lower().removesuffix(".gz").endswith(ASSEMBLY_EXTENSIONS)
