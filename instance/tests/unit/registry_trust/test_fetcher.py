"""How long an act fetches signed metadata."""

import time

import pytest
from seqfacility_instance.registry_client.client import RegistryClient
from seqfacility_instance.registry_client.errors import RegistryNotReachable
from seqfacility_instance.registry_trust.fetcher import MetadataFetcher
from seqfacility_testkit.registry import StandInRegistry
from seqfacility_testkit.waiting import wait_until


def test_only_the_time_of_fetching_counts_and_nothing_is_asked_when_it_is_over() -> None:
    with StandInRegistry() as registry:
        registry.answers["/api/trust/timestamp.json"] = b"{}"
        fetcher = MetadataFetcher(RegistryClient(registry.base_url), registry.base_url, seconds=1)
        url = f"{registry.base_url}/trust/timestamp.json"

        begun = time.monotonic()
        assert fetcher.download_bytes(url, 100) == b"{}"
        wait_until(lambda: time.monotonic() - begun > 1.1, "as long as a long document takes")
        assert fetcher.download_bytes(url, 100) == b"{}"
        over = MetadataFetcher(RegistryClient(registry.base_url), registry.base_url, seconds=0)
        asked = len(registry.asked)
        with pytest.raises(RegistryNotReachable) as refusal:
            over.download_bytes(url, 100)

    assert refusal.value.__notes__ == [f"{url}: signed metadata took longer than 0 seconds"]
    assert len(registry.asked) == asked
