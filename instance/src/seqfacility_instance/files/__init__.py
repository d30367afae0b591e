"""Files beneath the data base path: download, preview, checksum, deletion, the list of assemblies."""
