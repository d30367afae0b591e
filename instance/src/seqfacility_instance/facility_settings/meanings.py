"""What each setting means, in words for an admin: the one place where they stand. Decision: G1030."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Meaning:
    """What people call a setting, what it does, and in what it is counted."""

    label: str
    meaning: str
    unit: str | None = None
    without: str | None = None
    """What holds while it is not set."""


@dataclass(frozen=True, slots=True)
class SectionMeaning:
    """A section, and each of its settings by its field."""

    label: str
    meaning: str
    settings: Mapping[str, Meaning]


_ACCESS: Final = {
    "site_name": Meaning("Name of the facility", "Stands above every page, in mails and on packing slips."),
    "contact_email": Meaning(
        "Contact address", "Where people write who cannot sign in. Everybody can read it.", None, "no address"
    ),
    "post_submission_instructions": Meaning(
        "Instructions after submission",
        "What researchers read once an order is submitted, and on the packing slip: where samples go.",
    ),
    "allow_registration": Meaning(
        "People may register",
        "Off: nobody registers. Who has an invitation still comes in, and whom a provider of sign-ins knows.",
    ),
    "registration_needs_approval": Meaning(
        "Registrations wait for approval", "An admin approves each new account before it can sign in."
    ),
    "allowed_email_domains": Meaning(
        "Email domains",
        "One a line. Only such addresses come in by a provider of sign-ins, and may register while the module"
        " Account validation is on. None named: any address.",
    ),
    "registrations_per_hour": Meaning(
        "Registrations from one address", "More from one network address have to wait.", "an hour"
    ),
    "allow_user_assembly_download": Meaning(
        "Researchers download assemblies", "Of their own orders. Off: only admins do."
    ),
    "allow_delete_submitted_orders": Meaning(
        "Admins may delete submitted orders", "Off: only drafts can be deleted, by anybody."
    ),
    "session_idle_hours": Meaning(
        "Signed out after being idle", "For so long a session lives without a request.", "hours"
    ),
    "session_max_hours": Meaning(
        "Signed out in any case", "Then everybody signs in again, however busy.", "hours"
    ),
    "sign_in_max_failures": Meaning(
        "Failed sign-ins", "After so many wrong passwords for one account the next try has to wait."
    ),
    "sign_in_window_minutes": Meaning(
        "Failed sign-ins are counted for", "Older ones are forgotten.", "minutes"
    ),
    "admins_need_second_factor": Meaning(
        "Admins need a second factor",
        "An admin without one can do nothing but set one up, you included.",
    ),
}

_STORAGE: Final = {
    "data_base_path": Meaning(
        "Data folder",
        "Where reads and results lie on the server. It must exist, and belong to this facility alone.",
        None,
        "no folder: nothing can be uploaded",
    ),
    "default_upload_data_class": Meaning(
        "Class of uploaded reads",
        "Researchers are only ever given reads of the class cleaned, once they are released."
        " raw and unknown stay with the facility.",
    ),
    "extra_download_extensions": Meaning(
        "Further files to download",
        "Endings, one a line with its dot, that may be downloaded beside the endings of reads.",
    ),
    "min_free_bytes": Meaning(
        "Space to keep free", "Uploads and runs that would leave less are refused.", "bytes"
    ),
    "hard_link_on_promotion": Meaning(
        "Link results instead of copying",
        "Promoted reads share their bytes with the run: faster, and no second copy.",
    ),
}

_UPLOADS: Final = {
    "allowed_read_extensions": Meaning("Endings of reads", "Which files count as reads, one a line."),
    "max_file_bytes": Meaning("Largest file", "Larger ones are refused.", "bytes", "no limit"),
    "max_chunk_bytes": Meaning(
        "Largest chunk", "What one request may carry. A proxy may allow less.", "bytes", "no limit"
    ),
    "recommended_chunk_bytes": Meaning(
        "Usual chunk", "What browsers and commands send at once, unless the line says otherwise.", "bytes"
    ),
    "session_ttl_hours": Meaning(
        "Unfinished uploads are kept for", "Then what has arrived of them is removed.", "hours"
    ),
    "lock_wait_seconds": Meaning(
        "Wait for another request",
        "When two send to the same upload, the second waits for so long.",
        "seconds",
    ),
    "idle_read_seconds": Meaning(
        "Wait for a silent sender", "Then the request ends, and what has arrived counts.", "seconds"
    ),
    "verify_in_background": Meaning(
        "Verify files after upload", "The worker computes checksums and looks whether a file is whole."
    ),
}

_RESOURCES: Final = {
    "queue": Meaning("{label}: queue", "Where jobs go.", None, "its default"),
    "cores": Meaning("{label}: cores", "What a run asks for unless its pipeline says otherwise.", "cores"),
    "memory_gb": Meaning("{label}: memory", "What a run asks for.", "GB"),
    "time_hours": Meaning("{label}: time", "After it the scheduler ends the job.", "hours"),
    "options": Meaning("{label}: options", "Further options of a submission, one a line."),
}
"""Of each scheduler, by the end of the field; `{label}` is what people call it."""

_EXECUTION: Final = {
    "default_backend": Meaning(
        "Where runs go", "local is this machine; the others are schedulers found here."
    ),
    "pipeline_overrides": Meaning(
        "Pipelines that differ",
        "Runs of the pipeline with this id go elsewhere, or ask for something else."
        " What is empty is as for all.",
    ),
    "run_directory": Meaning(
        "Folder of runs",
        "Where runs work. It must be on a disk that jobs see.",
        None,
        "pipeline_runs in the data folder",
    ),
    "database_directory": Meaning(
        "Folder of reference databases",
        "Where the worker puts what it fetches.",
        None,
        "databases beside the service's own files",
    ),
    "weblog_secret": Meaning(
        "Secret of workflow events",
        "With it workflow engines tell of their tasks. Runs that go on keep the one they began with.",
        None,
        "engines tell nothing: progress comes from their files",
    ),
    "weblog_url": Meaning(
        "Address for workflow events",
        "Where engines reach this service, when it is another one than people use.",
        None,
        "the public address",
    ),
    "nextflow_command": Meaning("Nextflow", "A program of this name, or an absolute path."),
    "snakemake_command": Meaning("Snakemake", "A program of this name, or an absolute path."),
    "nextflow_profile": Meaning(
        "Profile of Nextflow", "As for -profile: institute,singularity for example.", None, "none"
    ),
    "output_settle_seconds": Meaning(
        "Wait for outputs",
        "Shared disks show files late: for so long a run waits for what is missing.",
        "seconds",
    ),
    "local_max_cores": Meaning(
        "Cores for all runs here", "Further runs on this machine wait.", "cores", "those of the machine"
    ),
    "local_max_memory_gb": Meaning(
        "Memory for all runs here", "Further runs on this machine wait.", "GB", "that of the machine"
    ),
    "mode": Meaning("Where runs go", "inherit is as for every pipeline."),
}

_STREAM_INGEST: Final = {
    "enabled": Meaning("Watch sequencers", "Off: no output is watched while it is written."),
    "output_root": Meaning(
        "Folder of the sequencer",
        "Runs are watched below it. It is only read.",
        None,
        "nothing can be watched",
    ),
    "scan_interval_seconds": Meaning(
        "Look every", "How often folders are searched for new files.", "seconds"
    ),
    "stability_seconds": Meaning(
        "A file is whole after",
        "So long it must not have changed. On network disks more than attributes are cached for.",
        "seconds",
    ),
    "use_notifications": Meaning(
        "Be told by the kernel",
        "New files are seen at once. Network disks tell nothing, the search finds them.",
    ),
    "include_failed": Meaning("Failed reads too", "What the sequencer put into its folder of failed reads."),
    "stalled_after_minutes": Meaning(
        "Stalled after", "So long without a new file, and people are told.", "minutes"
    ),
}

_SIGN_IN: Final = {
    "oidc_providers": Meaning(
        "Providers",
        "People sign in with the account of their institute, by OpenID Connect. A provider can sign in"
        " anybody whose email it vouches for, admins included.",
    ),
    "id": Meaning(
        "Id", "Part of the addresses that the provider has to know: small letters, digits, dashes."
    ),
    "name": Meaning("Name", "What people read on the button."),
    "issuer": Meaning("Issuer", "As the provider's own configuration writes it, letter by letter."),
    "client_id": Meaning("Client id", "What the provider calls this service."),
    "client_secret": Meaning(
        "Client secret",
        "What the provider showed. With another issuer it is typed again.",
        None,
        "a public client",
    ),
    "scopes": Meaning("Scopes", "What is asked for, one a line.", None, "openid, profile, email"),
    "groups_claim": Meaning(
        "Claim of groups", "A claim or a path to it, realm_access.roles for example.", None, "none"
    ),
    "admin_groups": Meaning(
        "Groups of admins", "Their members are admins here, one group a line.", None, "none"
    ),
    "department_claim": Meaning(
        "Claim of the department", "Its value is the name of a department here.", None, "none"
    ),
}

_MAIL: Final = {
    "host": Meaning("Server", "The host that mail is given to.", None, "no mail is sent"),
    "port": Meaning("Port", "587 for starttls, 465 for tls in most places."),
    "security": Meaning(
        "Encryption",
        "starttls begins in the clear and turns it on, tls is encrypted from the start, none is neither.",
    ),
    "user": Meaning("User", "The account at the mail server.", None, "nobody signs in there"),
    "password": Meaning(
        "Password",
        "Belongs to server, port, encryption and user: when one changes, type it again.",
        None,
        "none",
    ),
    "sender": Meaning("From", "The address that mails come from.", None, "no mail is sent"),
}

_AUDIT: Final = {
    "keep_days": Meaning("Keep rows for", "Older rows are removed, the newest stay.", "days", "for ever"),
    "head_file": Meaning(
        "File of heads",
        "The worker notes there what the newest row is, so that a trail that was written anew is noticed."
        " Best on a disk that this service's admins cannot change.",
        None,
        "not noted",
    ),
    "syslog": Meaning(
        "Syslog for heads", "The same by syslog: local, or host and port of a server.", None, "not noted"
    ),
}

_WEBHOOKS: Final = {
    "allow_private_networks": Meaning(
        "Private addresses", "Webhooks may lead into the institute's own network, and to http."
    ),
}

_REGISTRY: Final = {
    "trust": Meaning(
        "Signatures of the registry",
        "required reads only what is signed, warn reads on and says so, off looks at no signature.",
        None,
        "required where a root is pinned or was verified, else off",
    ),
    "poll_daily": Meaning(
        "Ask the registry once a day", "What was withdrawn and what is advised; admins are told."
    ),
}

MEANINGS: Final[Mapping[str, SectionMeaning]] = {
    "access": SectionMeaning("Access", "The facility's name, who may come in, and for how long.", _ACCESS),
    "storage": SectionMeaning("Storage", "Where sequencing data lies.", _STORAGE),
    "uploads": SectionMeaning("Uploads", "What may be uploaded, and how patient the service is.", _UPLOADS),
    "execution": SectionMeaning("Pipelines", "How and where pipelines run.", _EXECUTION),
    "streamIngest": SectionMeaning(
        "Live sequencing", "What is read while a sequencer writes.", _STREAM_INGEST
    ),
    "signIn": SectionMeaning("Sign-in", "Ways in beside the password.", _SIGN_IN),
    "mail": SectionMeaning("Mail", "The server that mail is given to.", _MAIL),
    "audit": SectionMeaning("Audit", "How long the audit trail is kept, and who witnesses it.", _AUDIT),
    "webhooks": SectionMeaning("Webhooks", "Where webhooks may lead.", _WEBHOOKS),
    "registry": SectionMeaning("Registry", "What is believed, and whether it is asked by itself.", _REGISTRY),
}


def meaning_of(section: str, field: str, schedulers: Mapping[str, str]) -> Meaning:
    """Return what a field means; one of a scheduler begins with its name, `schedulers` has their labels."""
    known = MEANINGS[section].settings
    if field in known:
        return known[field]
    name, _, end = field.partition("_")
    of = _RESOURCES[end]
    return Meaning(of.label.format(label=schedulers[name]), of.meaning, of.unit, of.without)
