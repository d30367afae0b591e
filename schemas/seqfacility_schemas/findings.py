"""What is wrong with one item of a published document, for who publishes it and for who reads it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of one item.

    `is_harmful` says that a reader had better leave the item out; who publishes it mends every fault. `key`
    is empty when the fault is the item's.

    Decision: G443.
    """

    collection: str
    item_id: str
    reason: str
    key: str = ""
    is_harmful: bool = False

    @property
    def reason_with_key(self) -> str:
        """Return the reason and the key that it is about."""
        return f"{self.key}: {self.reason}" if self.key else self.reason
