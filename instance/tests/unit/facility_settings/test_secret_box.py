"""Secrets are stored so that the database alone does not give them away."""

from pathlib import Path

from seqfacility_instance.facility_settings.secret_box import SecretBox, make_key_file


def key_in(folder: Path, name: str) -> Path:
    make_key_file(folder / name)
    return folder / name


def test_a_sealed_secret_opens_with_its_own_key_only(tmp_path: Path) -> None:
    box = SecretBox(key_in(tmp_path, "a.key"))
    sealed = box.seal("open sesame")

    assert "open sesame" not in sealed
    assert box.open(sealed) == "open sesame"
    assert SecretBox(key_in(tmp_path, "b.key")).open(sealed) is None


def test_a_key_is_private_and_never_replaced(tmp_path: Path) -> None:
    path = key_in(tmp_path, "secret.key")
    before = path.read_bytes()

    make_key_file(path)

    assert path.read_bytes() == before
    assert path.stat().st_mode & 0o777 == 0o600
