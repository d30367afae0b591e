"""The controlled vocabularies of the sequence archives that the built-in form offers.

Provenance: SRA.common.xsd (2026-07-03) and SRA.experiment.xsd (2025-05-30) of the repository
enasequence/webin-xml, commit bc243ce of 2026-07-13, Apache-2.0; facts only, in the order of the source.
"""

from typing import Final

PLATFORMS: Final = (
    "ILLUMINA",
    "OXFORD_NANOPORE",
    "PACBIO",
    "ION_TORRENT",
    "DNBSEQ",
    "ELEMENT",
    "ULTIMA",
)
"""Options of the field `platform`; the Order itself takes any text. Decision: G57."""

LIBRARY_STRATEGIES: Final = (
    "WGS",
    "WGA",
    "WXS",
    "RNA-Seq",
    "ssRNA-seq",
    "snRNA-seq",
    "miRNA-Seq",
    "ncRNA-Seq",
    "FL-cDNA",
    "EST",
    "Hi-C",
    "ATAC-seq",
    "WCS",
    "RAD-Seq",
    "CLONE",
    "POOLCLONE",
    "AMPLICON",
    "CLONEEND",
    "FINISHING",
    "ChIP-Seq",
    "MNase-Seq",
    "DNase-Hypersensitivity",
    "Bisulfite-Seq",
    "CTS",
    "MRE-Seq",
    "MeDIP-Seq",
    "MBD-Seq",
    "Tn-Seq",
    "VALIDATION",
    "FAIRE-seq",
    "SELEX",
    "RIP-Seq",
    "ChIA-PET",
    "Synthetic-Long-Read",
    "Targeted-Capture",
    "Tethered Chromatin Conformation Capture",
    "NOMe-Seq",
    "ChM-Seq",
    "GBS",
    "Ribo-Seq",
    "OTHER",
)
"""INSDC library strategies. Decision: G54."""

LIBRARY_SOURCES: Final = (
    "GENOMIC",
    "GENOMIC SINGLE CELL",
    "TRANSCRIPTOMIC",
    "TRANSCRIPTOMIC SINGLE CELL",
    "METAGENOMIC",
    "METATRANSCRIPTOMIC",
    "SYNTHETIC",
    "VIRAL RNA",
    "OTHER",
)
"""INSDC library sources. Decision: G54."""

LIBRARY_SELECTIONS: Final = (
    "RANDOM",
    "PCR",
    "RANDOM PCR",
    "RT-PCR",
    "HMPR",
    "MF",
    "repeat fractionation",
    "size fractionation",
    "MSLL",
    "cDNA",
    "cDNA_randomPriming",
    "cDNA_oligo_dT",
    "PolyA",
    "Oligo-dT",
    "Inverse rRNA",
    "Inverse rRNA selection",
    "ChIP",
    "ChIP-Seq",
    "MNase",
    "DNase",
    "Hybrid Selection",
    "Reduced Representation",
    "Restriction Digest",
    "5-methylcytidine antibody",
    "MBD2 protein methyl-CpG binding domain",
    "CAGE",
    "RACE",
    "MDA",
    "padlock probes capture method",
    "other",
    "unspecified",
)
"""INSDC library selections. Decision: G54."""
