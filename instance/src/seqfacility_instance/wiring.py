"""The one place where use cases get their collaborators."""

from dataclasses import dataclass
from functools import partial

from peewee import Database
from seqfacility_wire.metrics import is_recording
from seqfacility_workflow_runtime.discovery import find_version, is_installed
from seqfacility_workflow_runtime.engines.nextflow import NextflowEngine
from seqfacility_workflow_runtime.engines.snakemake import SnakemakeEngine
from seqfacility_workflow_runtime.executors.registry import EXECUTORS
from seqfacility_workflow_runtime.processes.identity import this_machine

from seqfacility_instance.access.sessions import Sessions
from seqfacility_instance.access.sessions import forget_ended as forget_ended_sessions
from seqfacility_instance.access.token_rows import forget_expired as forget_expired_tokens
from seqfacility_instance.access.tokens import Credentials, Tokens
from seqfacility_instance.accounts import throttle
from seqfacility_instance.accounts.departments import Departments
from seqfacility_instance.accounts.invites import Invites
from seqfacility_instance.accounts.open_sessions import OpenSessions
from seqfacility_instance.accounts.passwords import Passwords
from seqfacility_instance.accounts.people import People
from seqfacility_instance.accounts.registration import Registration
from seqfacility_instance.accounts.second_factors import SecondFactors
from seqfacility_instance.accounts.service import Accounts
from seqfacility_instance.accounts.sign_in_throttle import SignInThrottle
from seqfacility_instance.accounts.store import forget_reset_links
from seqfacility_instance.accounts.throttle import Guesses
from seqfacility_instance.background.worker import Sweep, Worker
from seqfacility_instance.catalog import store as catalog_store
from seqfacility_instance.catalog.service import Catalogs
from seqfacility_instance.checklists.service import Checklists
from seqfacility_instance.core.clock import Clock, SystemClock
from seqfacility_instance.core.process_names import process_name
from seqfacility_instance.core.seen_keys import SeenKeys
from seqfacility_instance.core.vocabulary.pipelines import Backend, Engine
from seqfacility_instance.delivery_links.layouts import Layouts
from seqfacility_instance.delivery_links.service import DeliveryLinks
from seqfacility_instance.delivery_links.store import forget_old as forget_old_links
from seqfacility_instance.delivery_links.store import revoke_links_of_owner
from seqfacility_instance.demo.service import Demo
from seqfacility_instance.facility_events.fan_out import FanOut
from seqfacility_instance.facility_settings.reserved_folders import ReservedFolders
from seqfacility_instance.facility_settings.secret_box import SecretBox
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.files.archive import CrcMemory
from seqfacility_instance.files.service.archives import DeliveryArchives
from seqfacility_instance.files.service.assembly_list import Assemblies
from seqfacility_instance.files.service.checksums import Checksums
from seqfacility_instance.files.service.deletions import Deletions
from seqfacility_instance.files.service.downloads import DOWNLOAD_PARTS_WITHIN, Downloads
from seqfacility_instance.files.service.previews import Previews
from seqfacility_instance.first_hour.service import FirstHour
from seqfacility_instance.forms.service import Forms
from seqfacility_instance.install_profiles.service import InstallProfiles
from seqfacility_instance.live.pruning import PRUNED_EVERY, Pruning
from seqfacility_instance.live.service.feed import LiveFeed
from seqfacility_instance.mail.sender import MailSender
from seqfacility_instance.mail.service import Mail
from seqfacility_instance.mail.subscriber import queue_event_mail
from seqfacility_instance.messages.service import Tickets
from seqfacility_instance.notifications.service import Notifications
from seqfacility_instance.numbers.service import FacilityNumbers
from seqfacility_instance.oidc.check_setup import provider_checks
from seqfacility_instance.oidc.people import ProvidersPeople
from seqfacility_instance.oidc.provider_documents import ProviderDocuments
from seqfacility_instance.oidc.service import SingleSignOn
from seqfacility_instance.oidc.store import forget_uses
from seqfacility_instance.orders.form_impact_service import FormImpactPreview
from seqfacility_instance.orders.ownership import Ownership
from seqfacility_instance.orders.samples import Samples
from seqfacility_instance.orders.service import Orders
from seqfacility_instance.orders.stages import Stages
from seqfacility_instance.orders.table_files import SampleTables
from seqfacility_instance.overview.service import Overviews
from seqfacility_instance.pipelines.installation import Installation as PipelineInstallation
from seqfacility_instance.pipelines.notice_report import installed_notices, notice_checks
from seqfacility_instance.pipelines.package_store import PackageStore
from seqfacility_instance.pipelines.readiness import HostEnvironment, Readiness
from seqfacility_instance.pipelines.reference_data.fetcher import DatabaseFetcher
from seqfacility_instance.pipelines.reference_data.service import ReferenceDatabases
from seqfacility_instance.pipelines.registry_polls import POLL_JOB, RegistryPolls
from seqfacility_instance.pipelines.service import Pipelines
from seqfacility_instance.reads.intake import EXAMINE_JOB
from seqfacility_instance.reads.reports import EXAMINE_REPORTS_JOB
from seqfacility_instance.reads.sample_reads import reads_of_sample
from seqfacility_instance.reads.service.changes import ReadChanges
from seqfacility_instance.reads.service.deliveries import Deliveries
from seqfacility_instance.reads.service.files_on_disk import FilesOnDisk
from seqfacility_instance.reads.service.history import ReadHistory
from seqfacility_instance.reads.service.linking import ReadLinking
from seqfacility_instance.reads.service.page import SequencingPage
from seqfacility_instance.reads.service.report_digests import examine_reports
from seqfacility_instance.registry_client.client import RegistryClient
from seqfacility_instance.registry_client.reach import Reach
from seqfacility_instance.registry_client.reachability import registry_checks
from seqfacility_instance.registry_trust.reading import TrustedRegistry
from seqfacility_instance.registry_trust.service import RegistryTrusts
from seqfacility_instance.registry_trust.setup_check import signature_checks
from seqfacility_instance.results.service.filing import FILE_JOB, Filing
from seqfacility_instance.results.service.promotion import Promotion
from seqfacility_instance.results.service.resolution import Outputs
from seqfacility_instance.run_plans.service.checks import BarcodeChecks
from seqfacility_instance.run_plans.service.documents import RunDocuments
from seqfacility_instance.run_plans.service.imports import RunPlanImports
from seqfacility_instance.run_plans.service.runs import SequencingRuns
from seqfacility_instance.runs.service.cancel import RunCancellation
from seqfacility_instance.runs.service.create import RunCreation
from seqfacility_instance.runs.service.events import EventWriter, WeblogIngest
from seqfacility_instance.runs.service.finish import Completion
from seqfacility_instance.runs.service.jobs import Jobs
from seqfacility_instance.runs.service.launch import MakeEngine, RunLaunch
from seqfacility_instance.runs.service.monitor import RunMonitor
from seqfacility_instance.runs.service.observe import Observation
from seqfacility_instance.runs.service.options import RunOptions
from seqfacility_instance.runs.service.queue import LocalQueue
from seqfacility_instance.runs.service.resume import Resumption
from seqfacility_instance.runs.service.select import RunSelection
from seqfacility_instance.runs.service.show import RunReading
from seqfacility_instance.runs.service.start import RunStarting
from seqfacility_instance.runs.service.sync import RunSync
from seqfacility_instance.search.service import Search
from seqfacility_instance.settings import Settings
from seqfacility_instance.site.audit_care import AuditCare
from seqfacility_instance.site.check_setup import SetupChecks
from seqfacility_instance.site.engine_versions import EngineVersions
from seqfacility_instance.site.health import InstallationHealth
from seqfacility_instance.site.identity import Identity
from seqfacility_instance.site.installation import Installation
from seqfacility_instance.site.mail_checks import mail_checks
from seqfacility_instance.site.proxy_checks import ProxyChecks
from seqfacility_instance.site.service import Site
from seqfacility_instance.streams.sample_metrics import streams_of_samples
from seqfacility_instance.streams.service.collection import COLLECT_JOB, Collection
from seqfacility_instance.streams.service.feed import Feed
from seqfacility_instance.streams.service.monitor import StreamMonitor
from seqfacility_instance.streams.service.options import Options
from seqfacility_instance.streams.service.picture import Pictures
from seqfacility_instance.streams.service.running import RunningStreams
from seqfacility_instance.streams.service.runs import StreamRuns
from seqfacility_instance.studies.ownership import hand_over_studies
from seqfacility_instance.studies.service import Studies
from seqfacility_instance.tables.base import initialise, open_database
from seqfacility_instance.tables.group_commit import GroupCommit
from seqfacility_instance.taxa.service import Taxa
from seqfacility_instance.tokens.service import ApiTokens, Machines
from seqfacility_instance.uploads.service.chunks import UploadChunks
from seqfacility_instance.uploads.service.completion import VERIFY_JOB, UploadCompletion
from seqfacility_instance.uploads.service.expiry import WALK_EVERY, UploadExpiry
from seqfacility_instance.uploads.service.planning import UploadPlans
from seqfacility_instance.uploads.service.sessions import UploadSessions
from seqfacility_instance.uploads.service.verification import FileVerification
from seqfacility_instance.webhooks.sending import WebhookSender
from seqfacility_instance.webhooks.service import Webhooks, queue_event
from seqfacility_instance.webhooks.store import forget_old as forget_old_deliveries

ENGINES: dict[Engine, MakeEngine] = {Engine.SNAKEMAKE: SnakemakeEngine, Engine.NEXTFLOW: NextflowEngine}
"""Every workflow engine of this release, made from its program. Decision: G128."""


@dataclass(frozen=True, slots=True)
class RunServices:
    """The use cases on pipelines, their runs and results."""

    pipelines: Pipelines
    databases: ReferenceDatabases
    readiness: Readiness
    pipeline_installation: PipelineInstallation
    creation: RunCreation
    options: RunOptions
    starts: RunStarting
    cancellation: RunCancellation
    reading: RunReading
    selection: RunSelection
    sync: RunSync
    completion: Completion
    monitor: RunMonitor
    outputs: Outputs
    promotion: Promotion
    filing: Filing
    weblog: WeblogIngest


@dataclass(frozen=True, slots=True)
class AccountServices:
    """The use cases on people beside signing in."""

    registration: Registration
    invites: Invites
    departments: Departments
    people: People
    tokens: ApiTokens
    machines: Machines
    second_factors: SecondFactors
    open_sessions: OpenSessions


@dataclass(frozen=True, slots=True)
class StreamServices:
    """The use cases of live ingest."""

    runs: StreamRuns
    running: RunningStreams
    options: Options
    feed: Feed
    pictures: Pictures
    collection: Collection
    monitor: StreamMonitor


@dataclass(frozen=True, slots=True)
class Services:
    """Every use case of one process, ready to be called."""

    settings: Settings
    database: Database
    clock: Clock
    facility: FacilitySettings
    sessions: Sessions
    credentials: Credentials
    accounts: Accounts
    demo: Demo
    install_profiles: InstallProfiles
    people: AccountServices
    single_sign_on: SingleSignOn
    installation: Installation
    identity: Identity
    site: Site
    audit_care: AuditCare
    health: InstallationHealth
    first_hour: FirstHour
    setup_checks: SetupChecks
    proxy_checks: ProxyChecks
    worker: Worker
    checklists: Checklists
    catalogs: Catalogs
    registry_trust: RegistryTrusts
    forms: Forms
    orders: Orders
    numbers: FacilityNumbers
    form_impact: FormImpactPreview
    overviews: Overviews
    samples: Samples
    search: Search
    sample_tables: SampleTables
    studies: Studies
    tickets: Tickets
    notifications: Notifications
    mail: Mail
    mail_sender: MailSender
    taxa: Taxa
    live: LiveFeed
    webhooks: Webhooks
    sequencing_page: SequencingPage
    read_linking: ReadLinking
    read_changes: ReadChanges
    read_history: ReadHistory
    files_on_disk: FilesOnDisk
    deliveries: Deliveries
    upload_sessions: UploadSessions
    upload_chunks: UploadChunks
    upload_plans: UploadPlans
    upload_completion: UploadCompletion
    sequencing_runs: SequencingRuns
    run_plan_imports: RunPlanImports
    barcode_checks: BarcodeChecks
    run_documents: RunDocuments
    delivery_archives: DeliveryArchives
    delivery_links: DeliveryLinks
    downloads: Downloads
    previews: Previews
    checksums: Checksums
    deletions: Deletions
    assemblies: Assemblies
    runs: RunServices
    streams: StreamServices

    @property
    def run_monitor(self) -> RunMonitor:
        """What `monitor-runs` ticks."""
        return self.runs.monitor


def wire(settings: Settings, clock: Clock | None = None) -> Services:
    """Open the database (nothing is connected yet) and put all use cases together."""
    clock = clock or SystemClock()
    database = open_database(settings.database_address)
    initialise(database)
    facility = FacilitySettings(SecretBox(settings.secret_key_file), ReservedFolders.of(settings))
    sessions = Sessions(facility, clock)
    credentials = Credentials(sessions, Tokens(facility, clock))
    reach = Reach.of(settings.private_hosts).including(settings.registry_url)
    client = RegistryClient(settings.registry_url, reach=reach)
    registry = TrustedRegistry(client, facility, settings.registry_root, clock)
    checklists = Checklists(registry, clock)
    catalogs = Catalogs(registry, clock)
    forms = Forms(facility, checklists, clock)
    stages = Stages(clock)
    orders = Orders(
        forms, catalogs, facility, clock, stages, Ownership((hand_over_studies, revoke_links_of_owner))
    )
    samples = Samples(forms, reads_of_sample, clock, stages)
    passwords = Passwords()
    second_factors = SecondFactors(facility, sessions, clock)
    accounts = Accounts(facility, sessions, passwords, SignInThrottle(facility, clock), second_factors, clock)
    upload_sessions = UploadSessions(facility, clock)
    verification = FileVerification(facility, clock)
    deliveries = Deliveries(facility, clock)
    crcs = CrcMemory()
    upload_expiry = UploadExpiry(facility, SeenKeys(WALK_EVERY))
    versions = EngineVersions(find_version, is_installed, clock)
    health = InstallationHealth(settings, facility, versions, clock, installed_notices)
    families = partial(_families, catalogs)
    asked = HostEnvironment(versions.sighting, health.ask_scheduler, families)
    seen = HostEnvironment(
        lambda engine, _program: health.engines_seen()[engine], health.scheduler_seen, families
    )
    runs = _wire_runs(settings, facility, registry, asked, seen, clock)
    overviews = Overviews(stages, forms, facility, health, clock)
    live = LiveFeed(credentials, clock, overviews.by_time)
    streams = _wire_streams(facility, live, clock)
    demo = Demo(settings.is_demo, sessions, facility, runs.pipelines, checklists, clock)
    people = _wire_people(facility, sessions, passwords, second_factors, clock)
    mail_sender = MailSender(facility, settings.public_url, clock)
    site = Site(settings, database, facility, clock)
    identity = Identity(settings, database, facility, clock)
    single_sign_on = _wire_single_sign_on(settings, facility, sessions, clock)
    audit_care = AuditCare(facility)
    first_hour = FirstHour(health, runs.readiness, clock)
    polls = RegistryPolls(registry, facility, clock, settings.has_registry)
    numbers = FacilityNumbers(clock)
    shipped = [checklists.add_shipped, runs.pipelines.install_bundled]
    return Services(
        settings=settings,
        database=database,
        clock=clock,
        facility=facility,
        sessions=sessions,
        credentials=credentials,
        accounts=accounts,
        demo=demo,
        install_profiles=InstallProfiles(registry, facility, forms, runs.pipelines, catalogs, clock),
        people=people,
        single_sign_on=single_sign_on,
        installation=Installation(settings, database, facility, accounts, identity, clock, shipped),
        identity=identity,
        site=site,
        audit_care=audit_care,
        health=health,
        first_hour=first_hour,
        setup_checks=SetupChecks(
            settings,
            database,
            facility,
            site,
            identity,
            health,
            further=lambda: [
                *registry_checks(client, clock),
                *signature_checks(registry),
                *provider_checks(single_sign_on),
                *notice_checks(),
                *runs.readiness.setup_checks(),
                *mail_checks(facility.mail(), settings.public_url),
                *first_hour.setup_checks(),
            ],
        ),
        proxy_checks=ProxyChecks(settings, database, facility, sessions, clock),
        worker=Worker(
            process_name(),
            works={
                COLLECT_JOB: streams.collection.collect,
                FILE_JOB: runs.filing.file,
                VERIFY_JOB: verification.verify_upload,
                EXAMINE_JOB: verification.examine_read,
                EXAMINE_REPORTS_JOB: examine_reports,
                POLL_JOB: polls.poll,
            },
            sweeps=[
                FanOut([queue_event_mail, queue_event]).sweep,
                upload_expiry.expire,
                upload_expiry.sweep_strays,
                runs.promotion.sweep_drafts,
                throttle.forget_old,
                forget_ended_sessions,
                forget_expired_tokens,
                forget_reset_links,
                forget_old_links,
                forget_uses,
                demo.remove_expired,
                Pruning(SeenKeys(PRUNED_EVERY)).sweep,
                audit_care.prune,
                audit_care.note_head,
                audit_care.verify_some,
                polls.sweep,
                numbers.sweep,
                DatabaseFetcher(runs.databases, process_name(), clock).step,
                people.people.answer_reset_requests,
                mail_sender.sweep,
                WebhookSender(facility, clock).sweep,
                forget_old_deliveries,
                *_gauges(health),
            ],
            clock=clock,
        ),
        checklists=checklists,
        catalogs=catalogs,
        registry_trust=RegistryTrusts(registry),
        forms=forms,
        orders=orders,
        numbers=numbers,
        form_impact=FormImpactPreview(forms),
        overviews=overviews,
        samples=samples,
        search=Search(forms),
        sample_tables=SampleTables(samples),
        studies=Studies(forms, checklists, samples, clock),
        tickets=Tickets(clock),
        notifications=Notifications(clock),
        mail=Mail(facility, clock),
        mail_sender=mail_sender,
        taxa=Taxa(forms),
        live=live,
        webhooks=Webhooks(facility, clock),
        sequencing_page=SequencingPage(facility, upload_sessions.shown_open, streams_of_samples, stages),
        read_linking=ReadLinking(facility, clock),
        read_changes=ReadChanges(clock),
        read_history=ReadHistory(facility),
        files_on_disk=FilesOnDisk(facility),
        deliveries=deliveries,
        delivery_archives=DeliveryArchives(
            deliveries, facility, clock, crcs, SeenKeys(DOWNLOAD_PARTS_WITHIN)
        ),
        delivery_links=DeliveryLinks(
            deliveries,
            facility,
            crcs,
            Guesses("delivery-link:address", facility, clock),
            SeenKeys(DOWNLOAD_PARTS_WITHIN),
            Layouts(len),
            Layouts(lambda layout: len(layout[0])),
            settings.accel_prefix,
            clock,
        ),
        upload_sessions=upload_sessions,
        upload_chunks=UploadChunks(facility, clock),
        upload_plans=UploadPlans(facility, clock),
        upload_completion=UploadCompletion(facility, clock),
        sequencing_runs=SequencingRuns(clock),
        run_plan_imports=RunPlanImports(clock),
        barcode_checks=BarcodeChecks(catalogs),
        run_documents=RunDocuments(),
        downloads=Downloads(facility, clock, SeenKeys(DOWNLOAD_PARTS_WITHIN), settings.accel_prefix),
        previews=Previews(facility),
        checksums=Checksums(facility, clock),
        deletions=Deletions(facility, clock),
        assemblies=Assemblies(facility),
        runs=runs,
        streams=streams,
    )


def _wire_streams(facility: FacilitySettings, live: LiveFeed, clock: Clock) -> StreamServices:
    """Put the use cases of live ingest together."""
    return StreamServices(
        runs=StreamRuns(facility, clock),
        running=RunningStreams(clock),
        options=Options(facility),
        feed=Feed(live),
        pictures=Pictures(clock),
        collection=Collection(facility, clock),
        monitor=StreamMonitor(process_name(), facility, clock),
    )


def _wire_people(
    facility: FacilitySettings,
    sessions: Sessions,
    passwords: Passwords,
    second_factors: SecondFactors,
    clock: Clock,
) -> AccountServices:
    """Put the use cases on people together; whoever guesses is counted for each kind of secret apart."""
    return AccountServices(
        registration=Registration(facility, passwords, clock),
        invites=Invites(Guesses("invite:address", facility, clock), facility, clock),
        departments=Departments(clock),
        people=People(
            sessions, passwords, Guesses("password-reset:address", facility, clock), facility, clock
        ),
        tokens=ApiTokens(clock),
        machines=Machines(clock),
        second_factors=second_factors,
        open_sessions=OpenSessions(sessions, clock),
    )


def _wire_single_sign_on(
    settings: Settings, facility: FacilitySettings, sessions: Sessions, clock: Clock
) -> SingleSignOn:
    """Put the use cases of single sign-on together; providers are no hosts of the registry's."""
    return SingleSignOn(
        facility,
        sessions,
        ProviderDocuments(Reach.of(settings.private_hosts), clock),
        ProvidersPeople(facility, sessions),
        Guesses("oidc:address", facility, clock),
        clock,
    )


def _wire_runs(
    settings: Settings,
    facility: FacilitySettings,
    registry: TrustedRegistry,
    asked: HostEnvironment,
    seen: HostEnvironment,
    clock: Clock,
) -> RunServices:
    """Put the use cases on pipelines and runs together; all ways to a verdict share one `Completion`."""
    package_store = PackageStore(settings.home / "packages")
    pipelines = Pipelines(package_store, facility, clock)
    databases = ReferenceDatabases(package_store, facility, clock, settings.home, registry.client.reach)
    outputs = Outputs(pipelines, facility, clock)
    executors = {backend: EXECUTORS[backend.value] for backend in Backend}
    observation, jobs = Observation(pipelines, clock), Jobs(executors, this_machine())
    completion = Completion(outputs, observation, jobs, facility, clock)
    cancellation = RunCancellation(jobs, completion, facility, clock)
    resumption = Resumption(pipelines, facility)
    launch = RunLaunch(databases, completion, executors, ENGINES, clock, settings.public_url)
    queue = LocalQueue(jobs, executors, facility, clock)
    starts = RunStarting(
        pipelines, databases, completion, executors, facility, clock, queue, resumption, launch
    )
    return RunServices(
        pipelines=pipelines,
        databases=databases,
        readiness=Readiness(pipelines, databases, facility, asked, seen),
        pipeline_installation=PipelineInstallation(pipelines, registry, clock),
        creation=RunCreation(pipelines, databases, facility, clock),
        options=RunOptions(pipelines, databases, facility),
        starts=starts,
        cancellation=cancellation,
        reading=RunReading(pipelines, resumption),
        selection=RunSelection(facility, clock),
        sync=RunSync(observation, completion),
        completion=completion,
        monitor=RunMonitor(jobs, observation, completion, cancellation, executors, starts, process_name()),
        outputs=outputs,
        promotion=Promotion(pipelines, facility, clock),
        filing=Filing(facility, clock),
        weblog=WeblogIngest(completion, facility, clock, GroupCommit(EventWriter(observation).write)),
    )


def _gauges(health: InstallationHealth) -> list[Sweep]:
    """Return the sweep that keeps the metrics' gauges, in a process that records metrics."""
    if not is_recording():
        return []
    from seqfacility_instance.site.state_gauges import REFRESHED_EVERY, StateGauges

    return [StateGauges(health, SeenKeys(REFRESHED_EVERY)).refresh]


def _families(catalogs: Catalogs) -> set[str] | None:
    """Name the platform families that an order can be placed for; None without a catalog."""
    if not catalog_store.is_stored():
        return None
    return {str(item.get("platformFamily")) for item in catalogs.read()["technologies"]}
