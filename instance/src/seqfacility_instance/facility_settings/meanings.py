"""Label, explanation and unit of each setting, as admins read them. Decision: G1030."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True, slots=True)
class Meaning:
    """Label, explanation and unit of a setting."""

    label: str
    meaning: str
    unit: str | None = None
    without: str | None = None
    """What applies while the setting is empty."""


@dataclass(frozen=True, slots=True)
class SectionMeaning:
    """A section with its settings by field name."""

    label: str
    meaning: str
    settings: Mapping[str, Meaning]


_ACCESS: Final = {
    "site_name": Meaning("Name of the facility", "Shown on every page, in mails and on packing slips."),
    "contact_email": Meaning(
        "Contact address", "For people who cannot sign in. Everyone can read it.", None, "no address"
    ),
    "post_submission_instructions": Meaning(
        "Instructions after submission",
        "Shown after an order is submitted and on the packing slip: where to send samples.",
    ),
    "allow_registration": Meaning(
        "People may register",
        "Off: only people with an invitation, or an account at a sign-in provider, get access.",
    ),
    "registration_needs_approval": Meaning(
        "Registrations wait for approval", "An admin approves each new account before it can sign in."
    ),
    "allowed_email_domains": Meaning(
        "Email domains",
        "One per line. Only these addresses may sign in with a provider, and register while the module"
        " Account validation is on. Empty: any address.",
    ),
    "registrations_per_hour": Meaning(
        "Registrations from one address",
        "Further registrations from the same network address have to wait.",
        "an hour",
    ),
    "allow_user_assembly_download": Meaning(
        "Researchers download assemblies", "Assemblies of their own orders. Off: only admins can."
    ),
    "allow_delete_submitted_orders": Meaning(
        "Admins may delete submitted orders", "Off: only drafts can be deleted."
    ),
    "session_idle_hours": Meaning(
        "Signed out after being idle", "A session ends after this time without a request.", "hours"
    ),
    "session_max_hours": Meaning(
        "Signed out in any case", "A session ends after this time in any case.", "hours"
    ),
    "sign_in_max_failures": Meaning(
        "Failed sign-ins", "After this many wrong passwords for an account, the next attempt has to wait."
    ),
    "sign_in_window_minutes": Meaning(
        "Failed sign-ins are counted for", "Earlier failures no longer count.", "minutes"
    ),
    "admins_need_second_factor": Meaning(
        "Admins need a second factor",
        "An admin without one, you included, can only set one up.",
    ),
}

_STORAGE: Final = {
    "data_base_path": Meaning(
        "Data folder",
        "The folder of reads and results on the server. It must exist and be used by this facility only.",
        None,
        "no folder: nothing can be uploaded",
    ),
    "default_upload_data_class": Meaning(
        "Class of uploaded reads",
        "Researchers only receive reads of the class cleaned, once they are released."
        " Reads of the classes raw and unknown stay with the facility.",
    ),
    "extra_download_extensions": Meaning(
        "Further files to download",
        "File extensions with their dot, one per line, that can be downloaded in addition to those of reads.",
    ),
    "min_free_bytes": Meaning(
        "Space to keep free", "Uploads and runs that would leave less are refused.", "bytes"
    ),
    "hard_link_on_promotion": Meaning(
        "Link results instead of copying",
        "Promoted reads are hard links to the files of the run: faster, and without a second copy.",
    ),
}

_UPLOADS: Final = {
    "allowed_read_extensions": Meaning("Endings of reads", "File extensions of reads, one per line."),
    "max_file_bytes": Meaning("Largest file", "Larger files are refused.", "bytes", "no limit"),
    "max_chunk_bytes": Meaning(
        "Largest chunk", "The most that one request may send. A proxy may allow less.", "bytes", "no limit"
    ),
    "recommended_chunk_bytes": Meaning(
        "Usual chunk",
        "What browsers and commands send at once, unless the connection requires less.",
        "bytes",
    ),
    "session_ttl_hours": Meaning(
        "Unfinished uploads are kept for", "After this time the received part is removed.", "hours"
    ),
    "lock_wait_seconds": Meaning(
        "Wait for another request",
        "How long a second sender to the same upload waits for the first.",
        "seconds",
    ),
    "idle_read_seconds": Meaning(
        "Wait for a silent sender",
        "After this time the request ends, and what was received is kept.",
        "seconds",
    ),
    "verify_in_background": Meaning(
        "Verify files after upload", "The worker computes checksums and checks that files are complete."
    ),
}

_RESOURCES: Final = {
    "queue": Meaning("{label}: queue", "The queue that jobs are submitted to.", None, "its default"),
    "cores": Meaning(
        "{label}: cores", "Requested for a run unless its pipeline sets another value.", "cores"
    ),
    "memory_gb": Meaning("{label}: memory", "Requested for a run.", "GB"),
    "time_hours": Meaning("{label}: time", "The scheduler ends jobs after this time.", "hours"),
    "options": Meaning("{label}: options", "Further options of the submit command, one per line."),
}
"""Settings that each scheduler has, by the part of the field after its name; `{label}` is its label."""

_EXECUTION: Final = {
    "default_backend": Meaning(
        "Where runs go", "local is this machine; the others are the schedulers that were found here."
    ),
    "pipeline_overrides": Meaning(
        "Pipelines that differ",
        "Where runs of single pipelines go, by pipeline id, and what they request."
        " Empty settings are those of all pipelines.",
    ),
    "run_directory": Meaning(
        "Folder of runs",
        "The work folders of runs. Jobs must be able to reach it.",
        None,
        "pipeline_runs in the data folder",
    ),
    "database_directory": Meaning(
        "Folder of reference databases",
        "The folder that the worker downloads to.",
        None,
        "databases beside the service's own files",
    ),
    "weblog_secret": Meaning(
        "Secret of workflow events",
        "Workflow engines report their tasks with it. Active runs keep the secret that they started with.",
        None,
        "engines report nothing, progress is read from their files",
    ),
    "weblog_url": Meaning(
        "Address for workflow events",
        "Where engines reach this service, if it differs from the address of the pages.",
        None,
        "the public address",
    ),
    "nextflow_command": Meaning("Nextflow", "A program of this name, or an absolute path."),
    "snakemake_command": Meaning("Snakemake", "A program of this name, or an absolute path."),
    "nextflow_profile": Meaning(
        "Profile of Nextflow", "As for -profile, for example institute,singularity.", None, "none"
    ),
    "output_settle_seconds": Meaning(
        "Wait for outputs",
        "Network disks show new files late: a run waits this long for missing outputs.",
        "seconds",
    ),
    "local_max_cores": Meaning(
        "Cores for all runs here", "Further runs on this machine wait.", "cores", "those of the machine"
    ),
    "local_max_memory_gb": Meaning(
        "Memory for all runs here", "Further runs on this machine wait.", "GB", "that of the machine"
    ),
    "mode": Meaning("Where runs go", "inherit: as for all pipelines."),
}

_STREAM_INGEST: Final = {
    "enabled": Meaning("Watch sequencers", "Off: the output of running sequencers is not read."),
    "output_root": Meaning(
        "Folder of the sequencer",
        "Runs below this folder are watched. It is only read.",
        None,
        "nothing can be watched",
    ),
    "scan_interval_seconds": Meaning(
        "Look every", "How often folders are searched for new files.", "seconds"
    ),
    "stability_seconds": Meaning(
        "A file is whole after",
        "How long a file must not have changed. On network disks, longer than attributes are cached.",
        "seconds",
    ),
    "use_notifications": Meaning(
        "Be told by the kernel",
        "New files are found at once. Network disks do not support it; there the search finds them.",
    ),
    "include_failed": Meaning("Failed reads too", "Also read the folder of failed reads."),
    "stalled_after_minutes": Meaning(
        "Stalled after", "People are notified after this time without a new file.", "minutes"
    ),
}

_SIGN_IN: Final = {
    "oidc_providers": Meaning(
        "Providers",
        "People sign in with the account of their institute, by OpenID Connect. A provider can sign in"
        " anyone whose email address it confirms, admins included.",
    ),
    "id": Meaning(
        "Id",
        "Part of the redirect addresses registered at the provider: lower-case letters, digits and hyphens.",
    ),
    "name": Meaning("Name", "The label of the sign-in button."),
    "issuer": Meaning("Issuer", "Exactly as in the configuration of the provider."),
    "client_id": Meaning("Client id", "The id of this service at the provider."),
    "client_secret": Meaning(
        "Client secret",
        "The secret that the provider issued. With another issuer it must be entered again.",
        None,
        "a public client",
    ),
    "scopes": Meaning("Scopes", "Requested scopes, one per line.", None, "openid, profile, email"),
    "groups_claim": Meaning(
        "Claim of groups", "A claim or a path to it, for example realm_access.roles.", None, "none"
    ),
    "admin_groups": Meaning(
        "Groups of admins", "Members of these groups are admins here. One group per line.", None, "none"
    ),
    "department_claim": Meaning(
        "Claim of the department", "Its value must be the name of a department here.", None, "none"
    ),
}

_MAIL: Final = {
    "host": Meaning("Server", "The SMTP server for outgoing mail.", None, "no mail is sent"),
    "port": Meaning("Port", "Usually 587 for starttls and 465 for tls."),
    "security": Meaning(
        "Encryption",
        "starttls encrypts after connecting, tls from the start, none not at all.",
    ),
    "user": Meaning("User", "The account at the mail server.", None, "no sign-in"),
    "password": Meaning(
        "Password",
        "When server, port, encryption or user changes, it must be entered again.",
        None,
        "none",
    ),
    "sender": Meaning("From", "The sender address of all mails.", None, "no mail is sent"),
}

_AUDIT: Final = {
    "keep_days": Meaning("Keep rows for", "Older rows are removed.", "days", "for ever"),
    "head_file": Meaning(
        "File of heads",
        "The worker writes the hash of the newest row to this file, so that a rewritten trail is detected."
        " Best on a disk that admins of this service cannot change.",
        None,
        "not noted",
    ),
    "syslog": Meaning(
        "Syslog for heads", "The same to syslog: local, or host and port of a server.", None, "not noted"
    ),
}

_WEBHOOKS: Final = {
    "allow_private_networks": Meaning(
        "Private addresses", "Webhooks may use addresses of the institute's own network, and plain http."
    ),
}

_REGISTRY: Final = {
    "trust": Meaning(
        "Signatures of the registry",
        "required reads only signed content, warn reads all content and warns, off ignores signatures.",
        None,
        "required where a root is pinned or was verified, else off",
    ),
    "poll_daily": Meaning(
        "Ask the registry once a day", "Admins are notified of withdrawn versions and advisories."
    ),
}

MEANINGS: Final[Mapping[str, SectionMeaning]] = {
    "access": SectionMeaning(
        "Access", "The name of the facility, who gets access, and for how long.", _ACCESS
    ),
    "storage": SectionMeaning("Storage", "The folder of sequencing data.", _STORAGE),
    "uploads": SectionMeaning("Uploads", "What may be uploaded, limits and timeouts.", _UPLOADS),
    "execution": SectionMeaning("Pipelines", "How and where pipelines run.", _EXECUTION),
    "streamIngest": SectionMeaning(
        "Live sequencing", "Reading the output of running sequencers.", _STREAM_INGEST
    ),
    "signIn": SectionMeaning("Sign-in", "Single sign-on with the accounts of an institute.", _SIGN_IN),
    "mail": SectionMeaning("Mail", "The SMTP server of the facility.", _MAIL),
    "audit": SectionMeaning(
        "Audit", "How long the audit trail is kept, and where its newest hash is stored.", _AUDIT
    ),
    "webhooks": SectionMeaning("Webhooks", "Addresses that webhooks may use.", _WEBHOOKS),
    "registry": SectionMeaning(
        "Registry", "Whether signatures are required, and whether updates are checked daily.", _REGISTRY
    ),
}


def meaning_of(section: str, field: str, schedulers: Mapping[str, str]) -> Meaning:
    """Return the meaning of a field, which may begin with a scheduler; `schedulers` are labels by name."""
    known = MEANINGS[section].settings
    if field in known:
        return known[field]
    name, _, resource = field.partition("_")
    shared = _RESOURCES[resource]
    return replace(shared, label=shared.label.format(label=schedulers[name]))
