"""The one place where use cases get their collaborators."""

import os
import shutil
import socket
from dataclasses import dataclass

from peewee import Database
from seqfacility_workflow_runtime.discovery import find_version

from seqfacility_instance.access.sessions import Sessions
from seqfacility_instance.accounts.passwords import Passwords
from seqfacility_instance.accounts.service import Accounts
from seqfacility_instance.background.worker import Worker
from seqfacility_instance.checklists.service import Checklists
from seqfacility_instance.core.clock import Clock, SystemClock
from seqfacility_instance.facility_settings.secret_box import SecretBox
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.files.recent_downloads import RecentDownloads
from seqfacility_instance.files.service.downloads import Downloads
from seqfacility_instance.forms.service import Forms
from seqfacility_instance.orders.samples import Samples
from seqfacility_instance.orders.service import Orders
from seqfacility_instance.reads.of_sample import reads_of_sample
from seqfacility_instance.registry_client.client import RegistryClient
from seqfacility_instance.settings import Settings
from seqfacility_instance.site.engine_versions import EngineVersions
from seqfacility_instance.site.health import InstallationHealth
from seqfacility_instance.site.installation import Installation
from seqfacility_instance.site.service import Site
from seqfacility_instance.studies.service import Studies
from seqfacility_instance.tables import initialise, open_database
from seqfacility_instance.uploads.service.chunks import UploadChunks
from seqfacility_instance.uploads.service.completion import UploadCompletion
from seqfacility_instance.uploads.service.expiry import UploadExpiry
from seqfacility_instance.uploads.service.sessions import UploadSessions


@dataclass(frozen=True, slots=True)
class Services:
    """Every use case of one process, ready to be called."""

    settings: Settings
    database: Database
    clock: Clock
    facility: FacilitySettings
    sessions: Sessions
    accounts: Accounts
    installation: Installation
    site: Site
    health: InstallationHealth
    worker: Worker
    checklists: Checklists
    forms: Forms
    orders: Orders
    samples: Samples
    studies: Studies
    upload_sessions: UploadSessions
    upload_chunks: UploadChunks
    upload_completion: UploadCompletion
    downloads: Downloads


def wire(settings: Settings, clock: Clock | None = None) -> Services:
    """Open the database (nothing is connected yet) and put all use cases together."""
    clock = clock or SystemClock()
    database = open_database(settings.database_address)
    initialise(database)
    facility = FacilitySettings(SecretBox(settings.secret_key_file))
    sessions = Sessions(facility, clock)
    registry = RegistryClient(settings.registry_url)
    checklists = Checklists(registry, clock)
    forms = Forms(facility, checklists, clock)
    orders = Orders(forms, facility, clock)
    samples = Samples(orders, forms, reads_of_sample, clock)
    accounts = Accounts(facility, sessions, Passwords(), clock)
    upload_sessions = UploadSessions(orders, facility, clock)
    upload_expiry = UploadExpiry(facility)
    return Services(
        settings=settings,
        database=database,
        clock=clock,
        facility=facility,
        sessions=sessions,
        accounts=accounts,
        installation=Installation(
            settings, database, facility, accounts, clock, content=[checklists.add_shipped]
        ),
        site=Site(settings, database, facility, clock),
        health=InstallationHealth(settings, facility, EngineVersions(find_version, clock), _has_slurm, clock),
        worker=Worker(
            _holder(), works={}, sweeps=[upload_expiry.expire, upload_expiry.sweep_strays], clock=clock
        ),
        checklists=checklists,
        forms=forms,
        orders=orders,
        samples=samples,
        studies=Studies(forms, checklists, samples, clock),
        upload_sessions=upload_sessions,
        upload_chunks=UploadChunks(upload_sessions, facility, clock),
        upload_completion=UploadCompletion(upload_sessions, facility, clock),
        downloads=Downloads(facility, clock, RecentDownloads()),
    )


def _holder() -> str:
    """Name this process where it leases work."""
    return f"{socket.gethostname()[:96]}:{os.getpid()}"


def _has_slurm() -> bool:
    return all(shutil.which(program) for program in ("sbatch", "squeue", "scancel"))
