"""Encryption of stored secrets, and signatures, with a key that is not in the database."""

import hashlib
import hmac
import os
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken


class SecretBox:
    """Encrypts, decrypts and signs with the key of one state directory. Gap: G42, G257."""

    def __init__(self, key_file: Path) -> None:
        self._key_file = key_file
        self._last: tuple[bytes, str, str] | None = None

    def seal(self, secret: str) -> str:
        """Encrypt a secret as text."""
        return self._fernet().encrypt(secret.encode()).decode()

    def open(self, sealed: str) -> str | None:
        """Decrypt; None when the key is another one or the text was tampered with.

        What was decrypted last is remembered: every event of an engine asks for the same secret.
        """
        key, last = self._key_file.read_bytes(), self._last
        if last is not None and last[:2] == (key, sealed):
            return last[2]
        try:
            secret = Fernet(key).decrypt(sealed.encode()).decode()
        except InvalidToken:
            return None
        self._last = (key, sealed, secret)
        return secret

    def sign(self, text: str) -> str:
        """Return the HMAC of a text, in hex; it begins with what the signature is for."""
        return hmac.new(self._key_file.read_bytes(), text.encode(), hashlib.sha256).hexdigest()

    def _fernet(self) -> Fernet:
        return Fernet(self._key_file.read_bytes())


def make_key_file(path: Path) -> None:
    """Write a new key with mode 600, unless there is one. Gap: G257."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(descriptor, "wb") as file:
        file.write(Fernet.generate_key())
        file.flush()
        os.fsync(file.fileno())
