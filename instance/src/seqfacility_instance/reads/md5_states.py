"""What is known of the MD5 of the files of reads. Decision: G752."""

from collections.abc import Mapping, Sequence

from seqfacility_instance.core.vocabulary.sequencing import Mate, Md5State
from seqfacility_instance.reads import adding, store
from seqfacility_instance.reads.checksums import known_md5
from seqfacility_instance.tables.sequencing import Read

Md5States = Mapping[Mate, Md5State]


def md5_state(stored: str | None, *, is_verified: bool | None, computed: str | None) -> Md5State:
    """Return what is known of the MD5 of a file.

    `is_verified` says whether `stored` is that of the bytes, None before they were compared; `computed` is
    the MD5 that the service made of them. Decision: G112, G752.
    """
    if not stored:
        return Md5State.NONE
    if is_verified is not None:
        return Md5State.VERIFIED if is_verified else Md5State.DIFFERS
    return Md5State.COMPUTED if computed is not None and known_md5(stored) == computed else Md5State.GIVEN


def md5_states(reads: Sequence[Read]) -> dict[str, Md5States]:
    """Return the states of the files of some reads, by the read's id, in one query for all."""
    paths = [path for read in reads for _mate, path in adding.mates(read)]
    computed = {path: digest.md5 for path, (_state, digest) in store.find_digests(paths).items()}
    return {
        read.id: {
            mate: md5_state(
                getattr(read, f"checksum{store.mate_number(mate)}"),
                is_verified=getattr(read, f"checksum_verified{store.mate_number(mate)}"),
                computed=computed.get(path),
            )
            for mate, path in adding.mates(read)
        }
        for read in reads
    }
