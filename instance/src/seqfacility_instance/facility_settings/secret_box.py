"""Encryption of stored secrets, and signatures, with a key that is not in the database."""

import base64
import hashlib
import hmac
import os
import secrets
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken
from seqfacility_wire.errors import ServiceError


class KeyUnusable(ServiceError):
    """There is no key, or none that can be read as one. Decision: G408."""

    status = 503
    message = "Secrets cannot be stored: {reason}"

    def __init__(self, reason: str) -> None:
        super().__init__(reason=reason)
        self.reason = reason


class SecretBox:
    """Encrypts, decrypts and signs with the key of one state directory. Decision: G42, G257."""

    def __init__(self, key_file: Path) -> None:
        self._key_file = key_file
        self._last: tuple[bytes, str, str] | None = None

    def seal(self, secret: str) -> str:
        """Encrypt a secret as text; raises `KeyUnusable`."""
        return _fernet(self._key()).encrypt(secret.encode()).decode()

    def open(self, sealed: str) -> str | None:
        """Decrypt; None when the key is another one or not usable, or the text was tampered with.

        What was decrypted last is remembered: every event of an engine asks for the same secret.
        """
        try:
            key, last = self._key(), self._last
            if last is not None and last[:2] == (key, sealed):
                return last[2]
            secret = _fernet(key).decrypt(sealed.encode()).decode()
        except (KeyUnusable, InvalidToken):
            return None
        self._last = (key, sealed, secret)
        return secret

    def sign(self, text: str) -> str:
        """Return the HMAC of a text, in hex; it begins with what the signature is for."""
        return hmac.new(self._key(), text.encode(), hashlib.sha256).hexdigest()

    def fingerprint(self) -> str:
        """Return what tells this key from any other and says nothing of it; raises `KeyUnusable`.

        Decision: G408.
        """
        key = self._key()
        _fernet(key)
        return hashlib.sha256(b"seqfacility:" + base64.urlsafe_b64decode(key)).hexdigest()

    def _key(self) -> bytes:
        try:
            return self._key_file.read_bytes()
        except FileNotFoundError as missing:
            raise KeyUnusable("secret.key is missing") from missing
        except OSError as unreadable:
            raise KeyUnusable("secret.key cannot be read by this user") from unreadable


def _fernet(key: bytes) -> Fernet:
    try:
        return Fernet(key)
    except ValueError as damaged:
        raise KeyUnusable("secret.key is damaged") from damaged


def make_key_file(path: Path) -> None:
    """Write a new key with mode 600, unless there is one; nobody ever sees half of it. Decision: G257."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(Fernet.generate_key())
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    except OSError:  # a file system without hard links
        draft.rename(path)
        return
    draft.unlink()
