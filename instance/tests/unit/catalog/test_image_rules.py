"""What counts as an image: its first bytes, whatever anybody calls it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqfacility_instance.catalog.image_rules import Picture, picture_of
from seqfacility_testkit.pictures import jpeg, png, webp


@pytest.mark.parametrize(
    ("content", "ending"),
    [
        (png(640, 480), "png"),
        (jpeg(640, 480), "jpg"),
        (webp("lossy", 640, 480), "webp"),
        (webp("lossless", 640, 480), "webp"),
        (webp("extended", 640, 480), "webp"),
    ],
)
def test_an_image_is_known_by_its_bytes(content: bytes, ending: str) -> None:
    assert picture_of(content) == Picture(ending, 640, 480)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>',
        b"<html><script>alert(1)</script>",
        b"GIF89a\x01\0\x01\0",
        b"BM" + bytes(60),
        b" " + png(),
        b"\xff\xd8\xff",
        b"\xff\xd8\xff\xda\x00\x02",
        b"RIFF\0\0\0\0WAVEfmt " + bytes(30),
    ],
)
def test_everything_else_is_none(content: bytes) -> None:
    assert picture_of(content) is None


@pytest.mark.parametrize(
    ("size", "is_taken"),
    [((1, 1), True), ((4096, 4096), True), ((4097, 1), False), ((1, 4097), False), ((0, 1), False)],
)
def test_a_side_has_a_pixel_and_at_most_4096(size: tuple[int, int], *, is_taken: bool) -> None:
    assert (picture_of(png(*size)) is not None) is is_taken


@given(st.sampled_from([png(), jpeg(9, 9), webp("lossy", 9, 9), webp("lossless", 9, 9)]), st.data())
def test_a_cut_or_spoilt_image_is_an_answer_and_no_error(whole: bytes, data: st.DataObject) -> None:
    spoilt = bytearray(whole[: data.draw(st.integers(0, len(whole)))])
    for place in data.draw(st.lists(st.integers(0, len(whole) - 1), max_size=4)):
        if place < len(spoilt):
            spoilt[place] = data.draw(st.integers(0, 255))

    found = picture_of(bytes(spoilt))

    assert found is None or 0 < found.width <= 4096 >= found.height > 0
