"""What is measured of uploads. Imported only where metrics are recorded."""

from prometheus_client import Counter

VERIFIED_UPLOADS = Counter(
    "seqfacility_uploads_verified", "Uploaded files that the worker has read, by what it found.", ["verdict"]
)
