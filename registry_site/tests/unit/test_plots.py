"""Where the points of a plot lie."""

from hypothesis import given
from hypothesis import strategies as st
from seqfacility_registry.pages.plots import HEIGHT, WIDTH, plot_of


def test_what_grows_a_little_is_drawn_from_zero() -> None:
    plot = plot_of([("2030-01-01", 10), ("2030-01-02", 20), ("2030-01-03", 20)])

    assert not plot.is_logarithmic
    assert plot.points == "8.0,60.0 160.0,8.0 312.0,8.0"
    assert plot.last == ("312.0", "8.0")


def test_what_grows_a_thousand_times_is_drawn_by_powers_of_ten() -> None:
    plot = plot_of([("2030-01-01", 1), ("2030-01-02", 10), ("2030-01-03", 100)])

    assert plot.is_logarithmic
    assert plot.points == "8.0,112.0 160.0,60.0 312.0,8.0"


@given(
    st.lists(
        st.tuples(
            st.dates().map(str),
            st.one_of(st.integers(-(10**18), 10**18), st.floats(-1e12, 1e12, allow_subnormal=False)),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_no_point_leaves_the_drawing(series: list[tuple[str, float]]) -> None:
    plot = plot_of(sorted(series))

    for point in plot.points.split():
        x, y = map(float, point.split(","))
        assert 0 <= x <= WIDTH
        assert 0 <= y <= HEIGHT
