"""The format of an installable pipeline: read it, check it, pack it for download, unpack it safely."""
