"""What the instrument's checksum list says of the files."""

from seqfacility_instance.streams.rules.output_hashes import compare, read_hash_list

ONE, TWO = "1" * 64, "2" * 64
HEADER = "runid,protocol_group_id,flow_cell_id,sample_id,file_hash,file_path,barcode,barcode_alias\n"


def row(digest: str, path: str) -> str:
    return f"r,g,f,s,{digest},{path},barcode01,barcode01\n"


def test_paths_are_taken_from_where_the_list_lies() -> None:
    listed = read_hash_list([HEADER, row(ONE, "fastq_pass/a.fastq.gz")], "exp/run", include_failed=False)

    assert listed == {"exp/run/fastq_pass/a.fastq.gz": ONE}


def test_other_files_and_lines_that_say_nothing_are_left_out() -> None:
    lines = [
        HEADER,
        row(ONE, "pod5/a.pod5"),
        row("short", "a.fastq"),
        row(ONE, "../a.fastq"),
        row(ONE, "/etc/a.fastq"),
        row(ONE, ""),
        "half a line\n",
        row(TWO.upper(), "./b.fastq"),
    ]

    assert read_hash_list(lines, "", include_failed=False) == {"b.fastq": TWO}


def test_failed_reads_are_held_against_it_only_when_they_are_counted() -> None:
    lines = [HEADER, row(ONE, "fastq_fail/barcode01/a.fastq.gz"), row(TWO, "fastq_skip/b.fastq.gz")]

    assert read_hash_list(lines, "", include_failed=False) == {}
    assert read_hash_list(lines, "", include_failed=True) == {"fastq_fail/barcode01/a.fastq.gz": ONE}


def test_a_text_that_is_no_list_is_empty() -> None:
    assert read_hash_list(["nothing of this kind\n", "1,2,3\n"], "", include_failed=False) == {}
    assert read_hash_list([], "", include_failed=False) == {}


def test_every_file_as_listed_is_fine() -> None:
    result = compare({"a": ONE, "b": TWO}, {"a": ONE, "b": TWO, "c": ONE})

    assert (result.verdict, result.listed, result.matched) == ("ok", 2, 2)


def test_a_file_that_is_missing_makes_it_incomplete() -> None:
    result = compare({"a": ONE, "b": TWO}, {"a": ONE, "b": None})

    assert (result.verdict, result.missing) == ("incomplete", ["b"])


def test_a_file_that_differs_is_worse() -> None:
    result = compare({"a": ONE, "b": TWO}, {"a": TWO})

    assert (result.verdict, result.different) == ("different", ["a"])
