"""Column types: timestamps, JSON texts and enums, each typed for mypy."""

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Generic, Literal, Self, TypeVar, overload

from peewee import BigIntegerField, CharField, Expression, TextField

from seqfacility_instance.core.ids import epoch_milliseconds
from seqfacility_instance.core.json_text import compact_json, parsed_json

ValueT = TypeVar("ValueT")
ShapeT = TypeVar("ShapeT")
EnumT = TypeVar("EnumT", bound=StrEnum)

ID_MAX_LENGTH: Final = 64
ENUM_MAX_LENGTH: Final = 64

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


def timestamp_of(stored: int) -> datetime:
    """Return the timestamp of a stored number, for rows that are read as the database stores them.

    Decision: G5.
    """
    return _EPOCH + stored * _MILLISECOND


def optional_timestamp(stored: int | None) -> datetime | None:
    """Return the timestamp of a stored number; None for None."""
    return None if stored is None else timestamp_of(stored)


class TimestampField(BigIntegerField, Generic[ValueT]):
    """A timestamp: whole epoch milliseconds in the database, an aware UTC `datetime` in Python.

    An integer sorts, compares and subtracts alike in every database and has no time zone to
    lose. A naive datetime is a defect of the caller and raises `TypeError`. Decision: G5.
    """

    if TYPE_CHECKING:

        @overload
        def __get__(self, instance: None, owner: object) -> Self: ...
        @overload
        def __get__(self, instance: object, owner: object) -> ValueT: ...
        def __get__(self, instance: object, owner: object) -> object: ...
        def __set__(self, instance: object, value: ValueT) -> None: ...

    @overload
    def __init__(
        self: "TimestampField[datetime | None]", *, null: Literal[True], **options: object
    ) -> None: ...
    @overload
    def __init__(
        self: "TimestampField[datetime]", *, null: Literal[False] = ..., **options: object
    ) -> None: ...
    def __init__(self, *, null: bool = False, **options: object) -> None:
        super().__init__(null=null, **options)

    def db_value(self, value: datetime | None) -> int | None:
        return None if value is None else epoch_milliseconds(value)

    def python_value(self, value: int | None) -> datetime | None:
        return optional_timestamp(value)


class JsonField(TextField, Generic[ValueT]):
    """A JSON text in the database, the parsed value in Python; SQL NULL is None.

    The first argument is the Python type, `JsonField(dict[str, object], default=dict)`,
    and is for the type checker alone. Spec: instance, Resources and their fields (JSON string).
    """

    if TYPE_CHECKING:

        @overload
        def __get__(self, instance: None, owner: object) -> Self: ...
        @overload
        def __get__(self, instance: object, owner: object) -> ValueT: ...
        def __get__(self, instance: object, owner: object) -> object: ...
        def __set__(self, instance: object, value: ValueT) -> None: ...

    @overload
    def __init__(
        self: "JsonField[ShapeT | None]", shape: type[ShapeT], *, null: Literal[True], **options: object
    ) -> None: ...
    @overload
    def __init__(
        self: "JsonField[ShapeT]", shape: type[ShapeT], *, null: Literal[False] = ..., **options: object
    ) -> None: ...
    def __init__(self, shape: type[ShapeT], *, null: bool = False, **options: object) -> None:
        super().__init__(null=null, **options)
        self.shape = shape

    def db_value(self, value: object) -> str | None:
        return None if value is None else compact_json(value)

    def python_value(self, value: str | None) -> object:
        return None if value is None else parsed_json(value)

    def contains(self, rhs: str) -> Expression:
        """Compare with the stored text; Peewee's own would make JSON of the pattern, and never match."""
        found: Expression = self.cast("text").contains(compact_json(rhs)[1:-1])
        return found


class EnumField(CharField, Generic[ValueT]):
    """A member of an enum, stored as its value.

    `EnumField(OrderStatus)`. A value that is not in the enum raises `ValueError` in both directions.
    """

    if TYPE_CHECKING:

        @overload
        def __get__(self, instance: None, owner: object) -> Self: ...
        @overload
        def __get__(self, instance: object, owner: object) -> ValueT: ...
        def __get__(self, instance: object, owner: object) -> object: ...
        def __set__(self, instance: object, value: ValueT) -> None: ...

    @overload
    def __init__(
        self: "EnumField[EnumT | None]", members: type[EnumT], *, null: Literal[True], **options: object
    ) -> None: ...
    @overload
    def __init__(
        self: "EnumField[EnumT]", members: type[EnumT], *, null: Literal[False] = ..., **options: object
    ) -> None: ...
    def __init__(self, members: type[EnumT], *, null: bool = False, **options: object) -> None:
        super().__init__(max_length=ENUM_MAX_LENGTH, null=null, **options)
        self.members: type[StrEnum] = members

    def db_value(self, value: str | None) -> str | None:
        return None if value is None else self.members(value).value

    def python_value(self, value: str | None) -> StrEnum | None:
        return None if value is None else self.members(value)
