"""The URL table in the documents' order: every path, its resource, and who may call each method.

A route whose responders and stated access differ stops the start of the service.
"""

from seqfacility_wire.api_docs.resources import DocsFile, DocsPage

from seqfacility_instance.access.classes import (
    ADMIN,
    ANYONE,
    IMPORTS,
    LIVE_ADMIN,
    NEW_MESSAGES,
    NEW_ORDERS,
    OWNER,
    OWNER_NOT_DEMO,
    SESSION_ROUTE,
    SIGNED_IN,
    SIGNED_IN_NOT_DEMO,
    WEBLOG_SECRET,
)
from seqfacility_instance.accounts import people_resources as people
from seqfacility_instance.accounts import resources as accounts
from seqfacility_instance.accounts import security_resources as security
from seqfacility_instance.catalog import resources as catalog
from seqfacility_instance.checklists import resources as checklists
from seqfacility_instance.core.vocabulary.people import Scope
from seqfacility_instance.delivery_links import resources as links
from seqfacility_instance.delivery_links.rules import ARIA2, CHECKSUMS, MANIFEST, WGET
from seqfacility_instance.demo import resources as demo
from seqfacility_instance.files import resources as files
from seqfacility_instance.files.errors import ChecksumsForAdmins, DeletionUnauthorized
from seqfacility_instance.first_hour import resources as first_hour
from seqfacility_instance.forms import resources as forms
from seqfacility_instance.live import resources as live
from seqfacility_instance.mail import resources as mail
from seqfacility_instance.messages import resources as messages
from seqfacility_instance.notifications import resources as notifications
from seqfacility_instance.numbers import resources as numbers
from seqfacility_instance.oidc import resources as oidc
from seqfacility_instance.orders import resources as orders
from seqfacility_instance.orders import sample_resources as samples
from seqfacility_instance.orders import table_resources as tables
from seqfacility_instance.overview import resources as overview
from seqfacility_instance.pipelines import resources as pipelines
from seqfacility_instance.pipelines.reference_data import resources as reference_data
from seqfacility_instance.reads import resources as reads
from seqfacility_instance.registry_trust import resources as registry_trust
from seqfacility_instance.results import resources as results
from seqfacility_instance.routing import Area, Route, scoped
from seqfacility_instance.run_plans import resources as run_plans
from seqfacility_instance.runs import resources as runs
from seqfacility_instance.search import resources as search
from seqfacility_instance.site import resources as site
from seqfacility_instance.streams import resources as streams
from seqfacility_instance.studies import resources as studies
from seqfacility_instance.taxa import resources as taxa
from seqfacility_instance.tokens import resources as tokens
from seqfacility_instance.uploads import resources as uploads
from seqfacility_instance.web import resources as web
from seqfacility_instance.webhooks import resources as webhooks
from seqfacility_instance.wiring import Services

# What API tokens need where; below `/api/admin` that is `admin`. Decision: G801.
_ORDERS = Area(Scope.ORDERS_READ, Scope.ORDERS_WRITE)
_UPLOADS = Area(Scope.UPLOADS_WRITE, Scope.UPLOADS_WRITE)
_DELIVERY = Area(Scope.DELIVERY_READ, Scope.ORDERS_WRITE)
_RUNS = Area(Scope.RUNS_READ, Scope.RUNS_WRITE)

PRIVILEGED_SECTIONS = (
    "execution",
    "storage",
    "streamIngest",
    "access",
    "signIn",
    "mail",
    "webhooks",
    "audit",
    "registry",
)
"""What only a confirmed session changes of the settings: who comes in, where data go, what is run.

Decision: G810.
"""


def routes(services: Services) -> list[Route]:
    """List every route of the instance. Spec: instance, Endpoints. Decision: G269."""
    return [
        *scoped(_ORDERS, _site(services)),
        *scoped(_ORDERS, _forms(services)),
        *_sessions(services),
        *_single_sign_on(services),
        *_tokens(services),
        *scoped(_ORDERS, _administration(services)),
        *scoped(_ORDERS, _webhooks(services)),
        *scoped(_ORDERS, _orders(services)),
        *scoped(_ORDERS, _studies(services)),
        *scoped(_ORDERS, _tickets(services)),
        *scoped(_UPLOADS, _sequencing_data(services)),
        *scoped(_UPLOADS, _uploads(services)),
        *scoped(_UPLOADS, _run_plans(services)),
        *scoped(_UPLOADS, _streams(services)),
        *scoped(_DELIVERY, _files(services)),
        *scoped(_DELIVERY, _delivery_links(services)),
        *scoped(_RUNS, _pipelines(services)),
        *scoped(_RUNS, _pipeline_runs(services)),
    ]


def _site(services: Services) -> list[Route]:
    return [
        Route("/api/version", site.InstalledVersion(), GET=ANYONE),
        Route("/api/setup/status", site.SetupStatus(services.site), GET=ANYONE),
        Route("/api/modules", site.ModuleList(services.site), GET=SIGNED_IN),
        Route("/api/health", site.Health(services.site), GET=ANYONE),
        Route("/api/openapi.json", web.OpenApi(lambda: routes(services)), GET=ANYONE),
        Route(
            "/api/boot",
            web.Boot(services.site, services.sessions, services.tickets, services.notifications),
            GET=ANYONE,
        ),
        Route("/api/docs", DocsPage(), GET=ANYONE),
        Route("/api/docs/{name}", DocsFile(), GET=ANYONE),
        Route("/api/site", site.SiteFacts(services.site), GET=ANYONE),
    ]


def _forms(services: Services) -> list[Route]:
    lists = services.checklists
    return [
        Route("/api/form-schema", forms.OrderFormSchema(services.forms), GET=SIGNED_IN),
        Route("/api/study-form-schema", forms.StudyFormSchema(services.forms), GET=SIGNED_IN),
        Route("/api/assets/{asset_name}", catalog.Assets(services.catalogs), GET=ANYONE),
        Route("/api/sequencing-tech", catalog.CatalogRead(services.catalogs), GET=ANYONE),
        Route(
            "/api/admin/sequencing-tech",
            catalog.CatalogAdministration(services.catalogs),
            GET=ADMIN,
            PUT=LIVE_ADMIN,
            POST=LIVE_ADMIN,
        ),
        Route("/api/mixs-checklists", checklists.ChecklistList(lists), GET=ANYONE),
        Route("/api/mixs-templates", checklists.TemplateList(lists), GET=SIGNED_IN),
        Route(
            "/api/admin/mixs-checklists",
            checklists.ChecklistAdministration(lists),
            GET=ADMIN,
            POST=LIVE_ADMIN,
        ),
        Route("/api/admin/mixs-checklists/{accession}", checklists.OneChecklist(lists), GET=ADMIN),
        Route("/api/admin/form-config", forms.OrderFormConfig(services.forms), GET=ADMIN, PUT=LIVE_ADMIN),
        Route("/api/admin/form-config/versions", forms.OrderFormVersions(services.forms), GET=ADMIN),
        Route(
            "/api/admin/form-config/versions/{version:id}",
            forms.OneOrderFormVersion(services.forms),
            GET=ADMIN,
        ),
        Route("/api/admin/form-config/impact", orders.OrderFormImpact(services.form_impact), POST=LIVE_ADMIN),
        Route(
            "/api/admin/study-form-config", forms.StudyFormConfig(services.forms), GET=ADMIN, PUT=LIVE_ADMIN
        ),
        Route("/api/admin/study-form-config/versions", forms.StudyFormVersions(services.forms), GET=ADMIN),
        Route(
            "/api/admin/study-form-config/versions/{version:id}",
            forms.OneStudyFormVersion(services.forms),
            GET=ADMIN,
        ),
        Route("/api/admin/study-form-config/impact", forms.StudyFormImpact(services.forms), POST=LIVE_ADMIN),
    ]


def _sessions(services: Services) -> list[Route]:
    is_secure = services.settings.is_secure
    return [
        Route("/api/auth/sign-in", accounts.SignIn(services.accounts, is_secure), POST=SESSION_ROUTE),
        Route("/api/auth/sign-out", accounts.SignOut(services.accounts), POST=SESSION_ROUTE),
        Route("/api/auth/session", accounts.CurrentSession(services.sessions), GET=ANYONE),
        *_own_security(services),
        Route(
            "/api/auth/password",
            accounts.OwnPassword(services.accounts, is_secure),
            POST=SIGNED_IN.for_set_up(),
        ),
        Route("/api/auth/password-reset", people.PasswordReset(services.people.people), POST=ANYONE),
        Route(
            "/api/auth/password-reset-request",
            people.PasswordResetRequest(services.people.people),
            POST=ANYONE,
        ),
        Route("/api/register", people.Register(services.people.registration), POST=ANYONE),
        Route("/api/invites/verify", people.InviteVerification(services.people.invites), POST=ANYONE),
        Route("/api/departments", people.DepartmentChoices(services.people.departments), GET=ANYONE),
        Route(
            "/api/user/mail-preferences",
            mail.MailPreferences(services.mail),
            GET=SIGNED_IN.scoped(Scope.ORDERS_READ),
            PUT=SIGNED_IN.scoped(Scope.ORDERS_WRITE),
        ),
        Route(
            "/api/user/profile",
            people.OwnProfile(services.people.people),
            GET=SIGNED_IN.scoped(Scope.ORDERS_READ),
            PUT=SIGNED_IN.scoped(Scope.ORDERS_WRITE),
        ),
        Route("/api/demo/session", demo.DemoSessionStart(services.demo, is_secure), POST=SESSION_ROUTE),
    ]


def _tokens(services: Services) -> list[Route]:
    own, machines = services.people.tokens, services.people.machines
    of_user = "/api/admin/users/{user_id:id}/tokens"
    admin, live_admin = ADMIN.scoped(Scope.ADMIN), LIVE_ADMIN.scoped(Scope.ADMIN)
    return [
        Route("/api/user/tokens", tokens.OwnTokens(own), GET=SIGNED_IN, POST=SIGNED_IN.confirmed()),
        Route("/api/user/tokens/{token_id:id}", tokens.OwnToken(own), DELETE=SIGNED_IN),
        Route(of_user, tokens.UserTokens(own), GET=admin),
        Route(f"{of_user}/{{token_id:id}}", tokens.UserToken(own), DELETE=live_admin),
        Route("/api/admin/machines", tokens.MachineList(machines), GET=admin, POST=LIVE_ADMIN.confirmed()),
        Route("/api/admin/machines/{machine_id:id}", tokens.OneMachine(machines), DELETE=live_admin),
    ]


def _own_security(services: Services) -> list[Route]:
    people, to_set_up = services.people, SIGNED_IN.for_set_up()
    factors, sessions = people.second_factors, people.open_sessions
    return [
        Route("/api/auth/confirm", security.SessionConfirmation(services.accounts), POST=to_set_up),
        Route("/api/auth/sessions", security.SessionList(sessions), GET=SIGNED_IN, DELETE=SIGNED_IN),
        Route("/api/auth/sessions/{session_id:id}", security.OneSession(sessions), DELETE=SIGNED_IN),
        Route(
            "/api/auth/totp",
            security.OwnSecondFactor(factors),
            GET=to_set_up,
            POST=to_set_up.confirmed(),
            DELETE=SIGNED_IN.confirmed(),
        ),
        Route(
            "/api/auth/totp/confirm",
            security.SecondFactorConfirmation(factors),
            POST=to_set_up.confirmed(),
        ),
    ]


def _single_sign_on(services: Services) -> list[Route]:
    single_sign_on = services.single_sign_on
    start = oidc.Start(single_sign_on, services.settings.public_url)
    one = "/api/auth/oidc/{provider:id}"
    return [
        Route("/api/auth/oidc", oidc.ProviderList(single_sign_on), GET=ANYONE),
        Route(f"{one}/start", start, GET=ANYONE),
        Route(f"{one}/callback", oidc.Callback(single_sign_on, start), GET=ANYONE),
        Route(f"{one}/back-channel-logout", oidc.BackChannelLogout(single_sign_on), POST=ANYONE),
        Route(
            "/api/admin/users/{user_id:id}/identities",
            oidc.Identities(single_sign_on),
            DELETE=LIVE_ADMIN.confirmed(),
        ),
    ]


def _administration(services: Services) -> list[Route]:
    everybody, invites, departments = (
        services.people.people,
        services.people.invites,
        services.people.departments,
    )
    return [
        Route("/api/admin/users", people.UserList(everybody), GET=ADMIN),
        Route(
            "/api/admin/users/{user_id:id}",
            people.OneUser(everybody),
            GET=ADMIN,
            PATCH=LIVE_ADMIN.confirmed(),
        ),
        Route(
            "/api/admin/users/{user_id:id}/registration",
            people.PendingRegistration(everybody),
            DELETE=LIVE_ADMIN,
        ),
        Route(
            "/api/admin/users/{user_id:id}/reset-link",
            people.ResetLink(everybody),
            POST=LIVE_ADMIN.confirmed(),
        ),
        Route(
            "/api/admin/users/{user_id:id}/sessions",
            security.UserSessions(services.people.open_sessions),
            DELETE=LIVE_ADMIN,
        ),
        Route(
            "/api/admin/users/{user_id:id}/totp",
            security.UserSecondFactor(everybody, services.people.second_factors),
            DELETE=LIVE_ADMIN.confirmed(),
        ),
        Route("/api/admin/invites", people.InviteList(invites), GET=ADMIN, POST=LIVE_ADMIN.confirmed()),
        Route("/api/admin/invites/{invite_id:id}", people.OneInvite(invites), DELETE=LIVE_ADMIN),
        Route("/api/admin/departments", people.DepartmentList(departments), GET=ADMIN, POST=LIVE_ADMIN),
        Route(
            "/api/admin/departments/{department_id:id}",
            people.OneDepartment(departments),
            PUT=LIVE_ADMIN,
            DELETE=LIVE_ADMIN,
        ),
        Route("/api/admin/audit", site.AuditTrail(services.site), GET=ADMIN),
        Route("/api/admin/audit/chain", site.AuditChain(services.audit_care), GET=LIVE_ADMIN),
        Route(
            "/api/admin/first-hour",
            first_hour.FirstHourSteps(services.first_hour),
            GET=LIVE_ADMIN,
            PUT=LIVE_ADMIN,
            POST=LIVE_ADMIN,
        ),
        Route("/api/admin/health", site.AdminHealth(services.health), GET=ADMIN),
        Route("/api/admin/numbers", numbers.Numbers(services.numbers), GET=LIVE_ADMIN),
        Route("/api/admin/numbers.csv", numbers.NumbersFile(services.numbers), GET=LIVE_ADMIN),
        Route("/api/admin/mail", mail.FailedMail(services.mail), GET=LIVE_ADMIN),
        Route("/api/admin/mail/test", mail.MailTest(services.mail_sender), POST=LIVE_ADMIN),
        Route("/api/admin/mail/{mail_id:id}/retry", mail.MailRetry(services.mail), POST=LIVE_ADMIN),
        Route("/api/admin/settings", site.SettingsSections(services.site), GET=ADMIN),
        Route(
            "/api/admin/settings/{section:id}",
            site.SettingsSection(services.site),
            PATCH=LIVE_ADMIN.confirmed(*PRIVILEGED_SECTIONS),
        ),
        Route("/api/admin/registry-trust", registry_trust.TrustOverview(services.registry_trust), GET=ADMIN),
        Route("/api/admin/modules", site.ModuleSwitch(services.site), GET=ADMIN, PUT=LIVE_ADMIN.confirmed()),
    ]


def _webhooks(services: Services) -> list[Route]:
    hooks, one = services.webhooks, "/api/admin/webhooks/{webhook_id:id}"
    confirmed = LIVE_ADMIN.confirmed()
    return [
        Route("/api/admin/webhooks", webhooks.WebhookList(hooks), GET=LIVE_ADMIN, POST=confirmed),
        Route(one, webhooks.OneWebhook(hooks), DELETE=confirmed),
        Route(f"{one}/deliveries", webhooks.WebhookDeliveries(hooks), GET=LIVE_ADMIN),
        Route(f"{one}/deliveries/{{delivery_id:id}}/retry", webhooks.WebhookRetry(hooks), POST=LIVE_ADMIN),
    ]


def _orders(services: Services) -> list[Route]:
    table, as_files = samples.OrderSamples(services.samples), services.sample_tables
    return [
        Route(
            "/api/orders",
            orders.OrderList(services.orders),
            GET=SIGNED_IN,
            POST=SIGNED_IN.limited(NEW_ORDERS),
        ),
        Route(
            "/api/orders/{order_id:id}",
            orders.OneOrder(services.orders),
            GET=OWNER,
            PUT=OWNER,
            DELETE=OWNER,
        ),
        Route("/api/orders/{order_id:id}/status", orders.OrderStatusMove(services.orders), POST=OWNER),
        Route("/api/orders/{order_id:id}/owner", orders.OrderOwner(services.orders), POST=LIVE_ADMIN),
        Route("/api/orders/{order_id:id}/check", orders.OrderCheck(services.orders), GET=OWNER),
        Route(
            "/api/orders/{order_id:id}/notes",
            orders.OrderNotes(services.orders),
            GET=OWNER,
            POST=OWNER.limited(NEW_MESSAGES),
        ),
        Route("/api/orders/{order_id:id}/notes/{note_id:id}", orders.OneNote(services.orders), DELETE=OWNER),
        Route("/api/orders/{order_id:id}/samples", table, GET=OWNER, POST=OWNER.limited(is_large_save=True)),
        Route("/api/orders/{order_id:id}/samples/export", tables.SampleTableExport(as_files), GET=OWNER),
        Route(
            "/api/orders/{order_id:id}/samples/import",
            tables.SampleTableImport(as_files),
            POST=OWNER.limited(IMPORTS, is_large_save=True),
        ),
        Route("/api/taxa", taxa.TaxonSuggestions(services.taxa), GET=SIGNED_IN),
        Route("/api/overview", overview.TodaysOverview(services.overviews), GET=SIGNED_IN),
        Route("/api/search", search.EverythingFound(services.search), GET=SIGNED_IN),
        Route("/api/samples", samples.SampleList(services.samples), GET=SIGNED_IN),
        Route(
            "/api/samples/{sample_id:id}",
            samples.OneSample(services.samples),
            GET=OWNER,
            PUT=OWNER,
            DELETE=OWNER,
        ),
    ]


def _sequencing_data(services: Services) -> list[Route]:
    of_order = "/api/orders/{order_id:id}/sequencing"
    changes, delivered = services.read_changes, SIGNED_IN_NOT_DEMO.scoped(Scope.DELIVERY_READ)
    return [
        Route(of_order, reads.OrderSequencing(services.sequencing_page), GET=ADMIN),
        Route(
            f"{of_order}/delivery",
            reads.OrderDelivery(services.deliveries),
            GET=OWNER.scoped(Scope.DELIVERY_READ),
        ),
        Route(
            f"{of_order}/delivery/checksums.md5",
            files.DeliveryChecksums(services.delivery_archives),
            GET=delivered,
        ),
        Route(
            f"{of_order}/delivery/manifest.tsv",
            files.DeliveryManifest(services.delivery_archives),
            GET=delivered,
        ),
        Route(
            f"{of_order}/delivery/archive.zip",
            files.DeliveryArchive(services.delivery_archives),
            GET=delivered,
        ),
        Route(
            f"{of_order}/delivery/reports/{{report_id:id}}",
            files.DeliveryReport(services.delivery_archives),
            GET=delivered,
        ),
        Route(
            f"{of_order}/delivery/publication",
            reads.Publication(services.deliveries),
            PUT=LIVE_ADMIN.scoped(Scope.RUNS_WRITE),
            DELETE=LIVE_ADMIN.scoped(Scope.RUNS_WRITE),
        ),
        Route(
            f"{of_order}/reads",
            reads.OrderReads(services.read_linking, changes, services.read_history),
            GET=ADMIN,
            PUT=LIVE_ADMIN,
            PATCH=LIVE_ADMIN,
        ),
        Route(f"{of_order}/files-on-disk", reads.OrderFilesOnDisk(services.files_on_disk), GET=LIVE_ADMIN),
        Route(f"{of_order}/artifacts", reads.OrderArtifacts(changes), GET=ADMIN),
        Route(f"{of_order}/artifacts/{{artifact_id:id}}", reads.OneArtifact(changes), PATCH=LIVE_ADMIN),
    ]


def _uploads(services: Services) -> list[Route]:
    sessions = services.upload_sessions
    of_order = "/api/orders/{order_id:id}/sequencing/uploads"
    one = f"{of_order}/{{upload_id:id}}"
    return [
        Route(of_order, uploads.OrderUploads(sessions), GET=ADMIN, POST=LIVE_ADMIN),
        Route(f"{of_order}/plan", uploads.OrderUploadPlan(services.upload_plans), POST=LIVE_ADMIN),
        Route(
            one,
            uploads.UploadSession(sessions, services.upload_chunks),
            GET=ADMIN,
            PATCH=LIVE_ADMIN,
            DELETE=LIVE_ADMIN,
        ),
        Route(f"{one}/complete", uploads.CompletedUpload(services.upload_completion), POST=LIVE_ADMIN),
    ]


def _run_plans(services: Services) -> list[Route]:
    plans, documents = services.sequencing_runs, services.run_documents
    of_order = "/api/orders/{order_id:id}/sequencing/runs"
    one = f"{of_order}/{{run_id:id}}"
    return [
        Route(f"{of_order}/import", run_plans.RunPlanImport(services.run_plan_imports), POST=LIVE_ADMIN),
        Route(f"{of_order}/template", run_plans.RunPlanTemplate(documents), GET=ADMIN),
        Route(f"{of_order}/check", run_plans.RunPlanCheck(services.barcode_checks), POST=ADMIN),
        Route(of_order, run_plans.OrderRuns(plans), GET=ADMIN, POST=LIVE_ADMIN),
        Route(one, run_plans.OneRun(plans), PATCH=LIVE_ADMIN, DELETE=LIVE_ADMIN),
        Route(f"{one}/samples", run_plans.RunAssignments(plans), GET=ADMIN, POST=LIVE_ADMIN),
        Route(f"{one}/export", run_plans.RunExport(documents), GET=ADMIN),
        Route(f"{one}/sample-sheet", run_plans.RunSampleSheet(documents), GET=ADMIN),
        Route(f"{one}/sample-sheet/preview", run_plans.RunSampleSheetPreview(documents), GET=ADMIN),
        Route("/api/sequencing/barcode-sets", run_plans.BarcodeSets(services.barcode_checks), GET=ADMIN),
    ]


def _streams(services: Services) -> list[Route]:
    ingest = services.streams
    of_order = "/api/orders/{order_id:id}/stream"
    one = f"{of_order}/{{stream_run_id:id}}"
    return [
        Route(of_order, streams.OrderStreams(ingest.runs), GET=ADMIN, POST=LIVE_ADMIN),
        Route("/api/streams", streams.AllStreams(ingest.running), GET=ADMIN),
        Route(f"{of_order}/options", streams.StreamOptions(ingest.options), GET=LIVE_ADMIN),
        Route(one, streams.OneStream(ingest.runs), PATCH=LIVE_ADMIN),
        Route(f"{one}/events", streams.StreamEvents(ingest.feed), GET=ADMIN),
        Route(f"{one}/events/live", streams.LiveStreamEvents(ingest.feed), GET=ADMIN),
        Route(f"{one}/stop", streams.StreamStop(ingest.runs), POST=LIVE_ADMIN),
        Route(f"{one}/by-barcode", streams.StreamBarcodes(ingest.pictures), GET=ADMIN),
        Route(f"{one}/metrics", streams.StreamMetrics(ingest.pictures), GET=ADMIN),
        Route(f"{one}/collect", streams.StreamCollection(ingest.collection), POST=LIVE_ADMIN),
        Route(f"{one}/collection", streams.StreamCollectionPlan(ingest.collection), GET=ADMIN),
    ]


def _files(services: Services) -> list[Route]:
    return [
        Route("/api/files/download", files.Download(services.downloads), GET=SIGNED_IN_NOT_DEMO),
        Route("/api/files/preview", files.FilePreview(services.previews), GET=SIGNED_IN),
        Route(
            "/api/files/checksum",
            files.FileChecksums(services.checksums),
            POST=ADMIN.refusing(ChecksumsForAdmins).scoped(Scope.UPLOADS_WRITE),
        ),
        Route(
            "/api/files/delete",
            files.FileDeletion(services.deletions),
            POST=ADMIN.refusing(DeletionUnauthorized).scoped(Scope.ADMIN),
        ),
        Route("/api/assemblies", files.AssemblyList(services.assemblies), GET=SIGNED_IN),
    ]


def _delivery_links(services: Services) -> list[Route]:
    made, public_url = services.delivery_links, services.settings.public_url
    of_order = "/api/orders/{order_id:id}/delivery/links"
    return [
        Route(of_order, links.OrderLinks(made, public_url), GET=OWNER_NOT_DEMO, POST=OWNER_NOT_DEMO),
        Route(f"{of_order}/{{link_id:id}}", links.OneOrderLink(made), DELETE=OWNER_NOT_DEMO),
        Route("/d/{token}", links.LinkWithoutSlash(), GET=ANYONE),
        Route("/d/{token}/", links.LinkPage(made), GET=ANYONE),
        *(
            Route(f"/d/{{token}}/{name}", links.LinkList(made, public_url, name), GET=ANYONE)
            for name in (WGET, ARIA2, CHECKSUMS, MANIFEST)
        ),
        Route("/d/{token}/archive.zip", links.LinkArchive(made), GET=ANYONE),
        Route("/d/{token}/files/", links.LinkFolder(made), GET=ANYONE),
        Route("/d/{token}/files/{file_name}", links.LinkFile(made), GET=ANYONE),
    ]


def _studies(services: Services) -> list[Route]:
    return [
        Route("/api/studies", studies.StudyList(services.studies), GET=SIGNED_IN, POST=SIGNED_IN),
        Route(
            "/api/studies/{study_id:id}",
            studies.OneStudy(services.studies),
            GET=OWNER,
            PUT=OWNER,
            DELETE=OWNER,
        ),
        Route(
            "/api/studies/{study_id:id}/samples",
            studies.StudySamples(services.studies),
            POST=OWNER,
            PUT=OWNER.limited(is_large_save=True),
            DELETE=OWNER,
        ),
        Route("/api/studies/{study_id:id}/mixs-impact", studies.StudyImpact(services.studies), GET=OWNER),
    ]


def _pipelines(services: Services) -> list[Route]:
    installed, installation = services.runs.pipelines, services.runs.pipeline_installation
    databases, readiness = services.runs.databases, services.runs.readiness
    one = pipelines.InstalledPipeline(installed)
    definition = pipelines.PipelineDefinition(installed)
    return [
        Route("/api/pipelines", pipelines.OfferedPipelines(installed), GET=SIGNED_IN),
        Route("/api/pipelines/{pipeline_id:id}/definition", definition, GET=SIGNED_IN),
        Route("/api/admin/pipelines", pipelines.InstalledPipelines(installed), GET=ADMIN),
        Route("/api/admin/pipelines/store", pipelines.PipelineStore(installation), GET=ADMIN),
        Route(
            "/api/admin/pipelines/install",
            pipelines.PipelineInstallation(installation),
            POST=LIVE_ADMIN.confirmed(),
        ),
        Route(
            "/api/admin/pipelines/import", pipelines.PipelineImport(installation), POST=LIVE_ADMIN.confirmed()
        ),
        Route("/api/admin/pipelines/readiness", pipelines.AllReadiness(readiness), GET=ADMIN),
        Route(
            "/api/admin/pipelines/{pipeline_id:id}/readiness", pipelines.OneReadiness(readiness), GET=ADMIN
        ),
        Route("/api/admin/pipelines/{pipeline_id:id}", one, GET=ADMIN, PUT=LIVE_ADMIN, DELETE=LIVE_ADMIN),
        Route("/api/admin/databases", reference_data.Databases(databases), GET=ADMIN),
        Route("/api/admin/databases/{key:id}", reference_data.OneDatabase(databases), DELETE=LIVE_ADMIN),
        Route(
            "/api/admin/databases/{key:id}/fetch", reference_data.DatabaseFetch(databases), POST=LIVE_ADMIN
        ),
    ]


def _pipeline_runs(services: Services) -> list[Route]:
    of_runs = services.runs
    one = "/api/pipelines/runs/{run_id:id}"
    candidates = results.ReadCandidates(of_runs.promotion)
    cleaned = results.ReadCandidates(of_runs.promotion, only_cleaning=True)
    selection = runs.FinalSelection(of_runs.selection)
    listed = runs.RunList(of_runs.reading, of_runs.creation)
    return [
        Route("/api/pipelines/runs", listed, GET=SIGNED_IN, POST=ADMIN),
        Route("/api/pipelines/{pipeline_id:id}/run-options", runs.RunChoices(of_runs.options), GET=ADMIN),
        Route("/api/pipelines/runs/validate", runs.RunValidation(of_runs.creation), POST=ADMIN),
        Route(f"{one}/start", runs.RunStart(of_runs.starts), POST=LIVE_ADMIN),
        Route(f"{one}/resume", runs.RunResume(of_runs.starts), POST=LIVE_ADMIN),
        Route(f"{one}/start-again", runs.RunStartAgain(of_runs.creation), POST=ADMIN),
        Route(one, runs.OneRun(of_runs.reading, of_runs.cancellation), GET=SIGNED_IN, DELETE=LIVE_ADMIN),
        Route(f"{one}/delete", runs.RunDeletion(of_runs.cancellation), POST=ADMIN),
        Route(f"{one}/logs", runs.RunLogs(of_runs.sync), GET=SIGNED_IN),
        Route(f"{one}/sync", runs.RunSynchronisation(of_runs.sync), POST=SIGNED_IN),
        Route(f"{one}/selection", selection, PUT=LIVE_ADMIN, DELETE=LIVE_ADMIN),
        Route(f"{one}/resolve-outputs", results.RunOutputs(of_runs.outputs), POST=LIVE_ADMIN),
        Route(f"{one}/pending-writebacks", candidates, GET=ADMIN, POST=LIVE_ADMIN),
        Route(f"{one}/cleaned-reads", cleaned, GET=ADMIN, POST=LIVE_ADMIN),
        Route(f"{one}/sequenced-reads", results.SequencedReads(of_runs.filing), GET=ADMIN, POST=LIVE_ADMIN),
        Route(f"{one}/tasks", runs.RunTasks(of_runs.reading), GET=SIGNED_IN),
        Route(f"{one}/tasks/{{task_id:id}}/log", runs.TaskLogs(of_runs.reading), GET=ADMIN),
        Route(f"{one}/evidence", runs.RunWitnesses(of_runs.reading), GET=SIGNED_IN),
        Route(f"{one}/files", runs.RunFiles(of_runs.reading), GET=ADMIN),
        Route("/api/pipelines/weblog", runs.Weblog(of_runs.weblog), POST=WEBLOG_SECRET),
    ]


def _tickets(services: Services) -> list[Route]:
    return [
        Route(
            "/api/tickets",
            messages.TicketList(services.tickets),
            GET=SIGNED_IN,
            POST=SIGNED_IN.limited(NEW_MESSAGES),
        ),
        Route("/api/tickets/unread", messages.UnreadMessages(services.tickets), GET=SIGNED_IN),
        Route("/api/tickets/{ticket_id:id}", messages.OneTicket(services.tickets), GET=OWNER, PATCH=OWNER),
        Route(
            "/api/tickets/{ticket_id:id}/read",
            messages.ReadMessages(services.tickets),
            PUT=OWNER,
            DELETE=OWNER,
        ),
        Route(
            "/api/tickets/{ticket_id:id}/messages",
            messages.TicketMessages(services.tickets),
            POST=OWNER.limited(NEW_MESSAGES),
        ),
        Route("/api/live", live.Live(services.live), GET=SIGNED_IN),
        Route("/api/notifications", notifications.NotificationList(services.notifications), GET=SIGNED_IN),
        Route(
            "/api/notifications/read", notifications.NotificationsRead(services.notifications), POST=SIGNED_IN
        ),
    ]
