"""Keys of roles as files: an Ed25519 private key in PEM that its owner alone reads, and its public half."""

import os
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)
from securesystemslib.signer import CryptoSigner, SSlibKey

from seqfacility_registry.trust.errors import TrustRefused


def write_key_pair(path: Path) -> str:
    """Write a new private key to `path` and its public half to `path.pub`; return the id of the key.

    Raises `TrustRefused` when one of the files exists: a key that is lost cannot be made again.
    """
    public = path.with_name(f"{path.name}.pub")
    key = Ed25519PrivateKey.generate()
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    shown = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    if public.exists():
        raise TrustRefused(f"{public} exists already")
    for target, content, mode in ((path, secret, 0o600), (public, shown, 0o644)):
        try:
            descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        except FileExistsError:
            raise TrustRefused(f"{target} exists already") from None
        except OSError as refused:
            raise TrustRefused(f"{target} cannot be written: {refused.strerror}") from refused
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            os.fsync(file.fileno())
    return public_key_of(key.public_key()).keyid


def read_signer(path: Path) -> CryptoSigner:
    """Read a private key; raises `TrustRefused`, also when others than its owner may read the file."""
    content = _read(path)
    if path.stat().st_mode & 0o077:
        raise TrustRefused(f"{path} may be read by others than its owner: chmod 600")
    try:
        key = load_pem_private_key(content, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise TrustRefused(f"{path} is no private key in PEM without a password") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise TrustRefused(f"{path} is no Ed25519 key")
    return CryptoSigner(key, public_key_of(key.public_key()))


def read_public_key(path: Path) -> SSlibKey:
    """Read a public key; raises `TrustRefused`, also for a private one, which nobody should hand around."""
    try:
        key = load_pem_public_key(_read(path))
    except (ValueError, UnsupportedAlgorithm):
        raise TrustRefused(f"{path} is no public key in PEM (keygen writes it to FILE.pub)") from None
    if not isinstance(key, Ed25519PublicKey):
        raise TrustRefused(f"{path} is no Ed25519 key")
    return public_key_of(key)


def public_key_of(key: Ed25519PublicKey) -> SSlibKey:
    found: SSlibKey = SSlibKey.from_crypto(key)
    return found


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as unreadable:
        raise TrustRefused(f"{path} cannot be read: {unreadable.strerror}") from unreadable
