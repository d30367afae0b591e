"""Configurations that give an exported mirror the headers and refusals of the service.

One table of places says what is answered where; a module for each server writes it in that server's words.

Spec: registry, Limits. Decision: G236, G243, G966.
"""

from collections.abc import Mapping

from seqfacility_registry.export_servers.apache import apache_configuration
from seqfacility_registry.export_servers.caddy import caddy_configuration
from seqfacility_registry.export_servers.nginx import nginx_configuration
from seqfacility_registry.export_servers.places import places


def server_files(attachments: Mapping[str, str]) -> Mapping[str, str]:
    """Return the configurations that an export carries, by their names.

    `attachments` maps open profiles to the file name of their download.
    """
    table = places(attachments)
    return {
        "Caddyfile": caddy_configuration(table),
        "apache.conf": apache_configuration(table),
        "nginx.conf": nginx_configuration(table),
    }
