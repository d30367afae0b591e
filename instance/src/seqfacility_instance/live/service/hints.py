"""Which readers hear of which changes."""

from collections import defaultdict
from collections.abc import Collection, Mapping

from seqfacility_instance.access.hints import demo_users_among
from seqfacility_instance.core import limits
from seqfacility_instance.live.rules import topics_of
from seqfacility_instance.live.service.readers import Reader
from seqfacility_instance.tables.live import LiveChange


def hints_for(
    changes: Collection[LiveChange], readers: Mapping[str, Collection[Reader]]
) -> Mapping[Reader, Collection[str] | None]:
    """Return the topics that each reader is to be told of, or None, which is everything, where too much has
    changed. `readers` are those of each topic.

    What is asked of the database does not grow with the readers, and is nothing without a change.

    Decision: G557, G558.
    """
    if len(changes) > limits.LIVE_REPLAYED_CHANGES:
        return {reader: None for found in readers.values() for reader in found}
    followed = [
        (change, topic)
        for change in changes
        for topic in topics_of(change.kind, change.object_id)
        if readers.get(topic)
    ]
    demo_users = demo_users_among({change.owner_id for change, _ in followed})
    hints: defaultdict[Reader, set[str]] = defaultdict(set)
    for change, topic in followed:
        for reader in readers[topic]:
            if topic not in hints.get(reader, ()) and reader.listener.may_hear(change, demo_users):
                hints[reader].add(topic)
    return hints
