"""Certificates that sign themselves, for servers on this machine."""

import datetime as dt
import ipaddress
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


def certificate(file: Path, left: dt.timedelta) -> dt.datetime:
    """Write a key with a certificate for 127.0.0.1, signed by itself; give the time at which it ends."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    ends_at = (dt.datetime.now(dt.UTC) + left).replace(microsecond=0)
    address = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(ends_at - dt.timedelta(days=400))
        .not_valid_after(ends_at)
        .add_extension(address, critical=False)
        .sign(key, hashes.SHA256())
    )
    encoding, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    private = key.private_bytes(encoding, form, serialization.NoEncryption())
    file.write_bytes(private + signed.public_bytes(encoding))
    return ends_at
