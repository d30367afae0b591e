"""What each figure counts: one text for the page, the API and the CSV file. Decision: G1010."""

from typing import Final

VERSION: Final = 1
"""Increase it when a figure changes its meaning: months stored under another version are recounted."""

TIME_ZONE: Final = "UTC"

DEFINITIONS: Final[dict[str, str]] = {
    "months": (
        "Months and years are those of UTC. Demonstration accounts are left out of everything. A month "
        "that is over is counted once a day, so a correction shows within a day; the current month is "
        "counted when it is asked for."
    ),
    "orders": (
        "An order counts in the month in which it was submitted first. Drafts, and orders that were given "
        "back as drafts, do not count. Platform and department are those of today: the department is that "
        "of the person who owns the order now, and an order whose owner has none stands under no "
        "department."
    ),
    "samples": "The samples of these orders, in the month of the order.",
    "reads": (
        "Reads count in the month in which they were filed, once for each sample as they came from "
        "sequencing: reads that replaced others count instead of these, cleaned reads do not count beside "
        "the raw ones. Both files of a pair are added up. Reads that were deleted do not count. Samples "
        "whose reads or bases were never counted are not in the sums; their number stands beside as "
        "unknown."
    ),
    "turnaround": (
        "The orders that were delivered in the month, and are still. Each interval lasts from one noted "
        "time to the next; an order without one of the two, or with them in the wrong order, is unknown "
        "there. The median is the time that half of the orders did not exceed, the 90th percentile that "
        "of nine in ten."
    ),
    "runs": (
        "Pipeline runs count in the month in which they were created, with the outcome that they have now."
    ),
    "storage": (
        "The files that orders submitted in the month hold now, by what is noted of their sizes; "
        "superseded reads and files of runs on an order are among them, work folders and runs on studies "
        "are not. Files of unknown size are not in the sums; their number stands beside as unknown."
    ),
}
