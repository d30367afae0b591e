"""Every number that bounds something in the instance, with its unit, and its source or its reason."""

from datetime import timedelta
from typing import Final

KIB: Final = 1024
MIB: Final = 1024 * KIB

# Files. Spec: instance, Limits.
FILE_PATHS_PER_CALL: Final = 50  # G126, G256: to check as well as to delete
PREVIEW_MAX_BYTES: Final = 100 * MIB  # G123 says that MB means MiB here

# Run-plan import. Spec: instance, Limits.
RUN_PLAN_MAX_BYTES: Final = 5 * MIB  # G201
RUN_PLAN_MAX_ROWS: Final = 1000
RUN_PLAN_MAX_COLUMNS: Final = 80
RUN_PLAN_MAX_IDLE_SECONDS: Final = 0.5  # G524
RUN_PLAN_MAX_PROCESSOR_SECONDS: Final = 5
RUN_PLAN_MAX_MEMORY_BYTES: Final = 128 * MIB
WORKBOOK_MAX_UNPACKED_BYTES: Final = 100 * MIB  # G201: a workbook is a ZIP file and can be a bomb
WORKBOOK_MAX_CHARACTERS: Final = 4 * MIB  # G310: every cell of a sheet can refer to one long string
WORKBOOK_MAX_BLANKS: Final = 400_000  # G524: cells with a format and nothing in them; a row is two
WORKBOOK_MAX_ANSWER_BYTES: Final = 64 * MIB  # of the process that reads it, G524
WORKBOOK_CLOCK_SECONDS: Final = 60  # G524
CELL_MAX_CHARACTERS: Final = 32_767  # what a cell of a spreadsheet program holds

# Runs. Spec: instance, Limits.
LOG_DEFAULT_TAIL_LINES: Final = 100
LOG_MAX_TAIL_LINES: Final = 10_000  # G188
LOG_CACHED_TAIL_BYTES: Final = 64 * KIB  # enough for the last screens of a log, small in a row
RESULT_FILES_PER_RUN: Final = 12  # G159
SAMPLE_IDS_PER_CALL: Final = 5_000  # G256
RUN_MAX_TASKS: Final = 500_000  # G394: attempts, far above any workflow that one job runs
RUN_TASK_LOGS_MAX_CHARACTERS: Final = (
    4_000  # G728: the names of the logs of a task; half a list would be none
)
RUN_CHANGED_TASKS_MAX: Final = 5_000  # G727
RUN_MAX_PROCESSES: Final = 2_000  # G394: an event reads the counts of all of them
RUN_ACTIVE_MAX_PROGRESS: Final = 99  # G179: 100 is for completed runs
LAUNCH_CLAIM_MAX_AGE: Final = timedelta(minutes=10)  # G152
LOCAL_JOB_UNKNOWN: Final = timedelta(seconds=60)  # G185
JOB_OUTLIVES_RUN: Final = timedelta(minutes=10)  # G380: engines tidy up, and report, in a minute or two
JOB_LEAVES_SECONDS: Final = 20.0  # G380: how long a deletion waits for a job that is leaving its node
MACHINE_GIVEN_UP: Final = timedelta(minutes=10)  # G383: longer than a reboot takes
CANCEL_ELSEWHERE_SECONDS: Final = 35.0  # G383: a tick of the monitor there, and a cancellation
SCHEDULER_ANSWER_REUSE: Final = timedelta(seconds=10)  # G185, G256
RESOLUTION_IN_REQUEST_SECONDS: Final = 10.0  # G180
DISCOVERY_SCRIPT_SECONDS: Final = 300.0  # G137
DISCOVERY_OUTPUT_MAX_BYTES: Final = 16 * MIB  # G137
MONITOR_RUNS_INTERVAL: Final = timedelta(seconds=15)  # G262
MONITOR_RUNS_THREADS: Final = 4  # G378
MONITOR_RUNS_PATIENCE_SECONDS: Final = 2.0  # G378

# Weblog. Spec: instance, Limits and Weblog intake.
WEBLOG_EVENTS_PER_RUN: Final = 100
WEBLOG_DUPLICATE_WINDOW: Final = timedelta(seconds=2)  # inclusive, either side (G177)
WEBLOG_PAYLOAD_MAX_CHARACTERS: Final = 12_000
WEBLOG_PAYLOAD_MAX_LEVELS: Final = 64  # G350
WEBLOG_MESSAGE_MAX_CHARACTERS: Final = 500
WEBLOG_MAX_AHEAD: Final = timedelta(hours=6)  # still believed at exactly this distance (G176)
WEBLOG_MAX_BEHIND: Final = timedelta(days=30)  # the same
WEBLOG_NAME_MAX_CHARACTERS: Final = 100  # G172
WEBLOG_UNKNOWN_EXIT: Final = 2_147_483_647  # G279: Nextflow's way to say that there is no exit code

# Streams. Spec: instance, Limits.
STREAM_LIST_LENGTH: Final = 50
STREAM_EVENTS_MIN_LIMIT: Final = 1
STREAM_EVENTS_MAX_LIMIT: Final = 500
STREAM_EVENTS_DEFAULT_LIMIT: Final = 100
STREAM_LEASE: Final = timedelta(seconds=30)  # renewed while files are counted
STREAM_BATCH_FILES: Final = 256  # G494; a transaction that events of a backlog come in
STREAM_BATCH_SECONDS: Final = 2.0  # the same, for large files
STREAM_PASS_SECONDS: Final = 20.0  # then the next stream run has its turn
STREAM_LIVE_SECONDS: Final = 25  # a live feed ends and is taken up again, G312
LIVE_SECONDS: Final = 86_400  # of one answer; a session may end sooner
LIVE_TOPICS: Final = 64  # of one reader, G557
LIVE_READERS_PER_PERSON: Final = 8  # at each web process, G559: a browser has one
LIVE_READERS: Final = 1000  # of a web process, G559; each is a descriptor and some kilobytes
LIVE_OPEN_TRANSACTIONS: Final = 60  # that an event's id names; more than connections of a facility
LIVE_REPLAYED: Final = timedelta(minutes=15)  # G558: who was away for longer reads everything anew
LIVE_KEPT: Final = timedelta(minutes=30)  # G558: longer than what is replayed, whatever clocks say
LIVE_CLOCK_STEP: Final = timedelta(seconds=30)  # by how much clocks of two machines may differ
LIVE_REPLAYED_CHANGES: Final = 5_000  # G558: to read everything anew is cheaper than more
STREAM_PACE: Final = timedelta(minutes=10)  # G687: the pace of a stream is that of its last minutes
STREAM_RECENT_POINTS: Final = 12  # G685: a small curve beside a name
STREAM_RECENT_POINT: Final = timedelta(minutes=5)
STREAM_SHOWN_RUNNING: Final = 200  # more positions than a facility has
STREAM_FOLDERS: Final = 200  # G686: offered at once, the newest first
STREAM_FOLDERS_SEEN: Final = 5000  # looked at for one offer; a full disk has more
STREAM_FOLDER_DEPTH: Final = 3  # experiment, sample, run
DISK_FOLDERS: Final = 500  # G750: folders of a folder
DISK_FILES: Final = 5000  # G750: as many reads as one call links
DISK_ENTRIES_SEEN: Final = 20_000  # G750: looked at for one listing; a full disk has more
DISK_DEPTH: Final = 4  # G750: folders below the one that is listed
STREAM_METRIC_POINTS: Final = 720  # a curve that a screen can show
STREAM_HASH_LIST_MAX_BYTES: Final = 64 * MIB  # some hundred thousand lines
STREAM_CLOCK_BELIEVED: Final = timedelta(days=30)  # how far before the start a file may have been closed
FASTQ_RECORD_MAX_BYTES: Final = 64 * MIB  # the longest read known is a tenth of it

# Bodies. Decision: G254.
SESSIONLESS_BODY_MAX_BYTES: Final = 8 * KIB  # what anybody may send: credentials, a registration, a code
LARGE_JSON_BODY_MAX_BYTES: Final = 16 * MIB  # forms, catalog, bulk samples
WEBLOG_BODY_MAX_BYTES: Final = 1 * MIB

# Paging of our own lists. Decision: G16.
PAGE_DEFAULT_LIMIT: Final = 50
PAGE_MAX_LIMIT: Final = 500

# Texts. Decision: G21, G58, G95.
SINGLE_LINE_MAX_CHARACTERS: Final = 255
LONG_TEXT_MAX_CHARACTERS: Final = 20_000
CUSTOM_FIELD_KEYS_MAX: Final = 200
ANSWER_MAX_LEVELS: Final = 16  # no answer of ours has more than three; recursion ends at about a thousand
FILE_NAME_MAX_BYTES: Final = 200

# Forms. Decision: G53.
FORM_MAX_FIELDS: Final = 500
FORM_MAX_GROUPS: Final = 50
FORM_IMPACT_MAX_DRAFTS: Final = 200
FORM_IMPACT_MAX_SAMPLES: Final = 10_000
PATTERN_MAX_CHARACTERS: Final = 500
PATTERN_SECONDS: Final = 0.2  # of processor time for one answer; a good pattern takes microseconds
PATTERNS_SECONDS: Final = 3.0  # for all answers of one request

# Orders. Decision: G79, G256.
BULK_SAMPLES_PER_CALL: Final = 5_000
NOTIFICATIONS_PER_CALL: Final = 500  # G319
SAMPLE_TABLE_MAX_BYTES: Final = 10 * MIB  # G318
SAMPLE_TABLE_MAX_COLUMNS: Final = 256  # the columns of a sample, and as many custom fields as it may have
SAMPLE_TABLE_MAX_IDLE_SECONDS: Final = 3  # G524
SAMPLE_TABLE_MAX_PROCESSOR_SECONDS: Final = 20  # for 5,000 rows of 100 columns, which take some seven
SAMPLE_TABLE_MAX_MEMORY_BYTES: Final = 256 * MIB

# Accounts.
PASSWORD_MIN_CHARACTERS: Final = 10  # G28
PASSWORD_MAX_CHARACTERS: Final = 256  # G28
GENERATED_PASSWORD_BYTES: Final = 15  # 120 random bits, 20 characters that can be read aloud and typed
SESSION_TOKEN_BYTES: Final = 32  # G25: at least 256 bits
SESSION_SEEN_EVERY: Final = timedelta(minutes=1)  # a write per request would take SQLite's lock each time
CONFIRMED_FOR: Final = timedelta(minutes=10)  # G810
SESSIONS_PER_PERSON: Final = 20  # G812
SESSIONS_ENDED_AT_ONCE: Final = 500  # of who had many before there was a limit
USER_AGENT_MAX_CHARACTERS: Final = 255  # G812
RESET_LINK_LIFE: Final = timedelta(hours=24)  # G33
RESET_LINK_KEPT: Final = timedelta(days=7)  # G834, after its end
INVITE_DEFAULT_DAYS: Final = 7  # G31
INVITE_MIN_DAYS: Final = 1  # G31
INVITE_MAX_DAYS: Final = 30  # G31
TOKEN_MAX_DAYS: Final = 365  # G802
TOKENS_PER_PERSON: Final = 50  # G802
TOKENS_KEPT_EXPIRED: Final = timedelta(days=30)  # G802: somebody looks why a script has stopped
MACHINES: Final = 200  # G804
ADDRESSES_PER_MACHINE: Final = 32  # G804
DELIVERY_LINK_TOKEN_BYTES: Final = 32  # G527: as a session's
DELIVERY_LINK_DEFAULT_DAYS: Final = 7  # G527
DELIVERY_LINK_MIN_DAYS: Final = 1  # G527
DELIVERY_LINK_MAX_DAYS: Final = 30  # G527
DELIVERY_LINKS_PER_ORDER: Final = 20  # G527: that are open at a time
DELIVERY_LAYOUT_LIFE: Final = timedelta(minutes=10)  # G584: less than LIVE_KEPT, whatever clocks say
DELIVERY_LAYOUT_FILES: Final = 200_000  # G584: of names, and of archives; some 100 MB each
DELIVERY_LINK_KEPT: Final = timedelta(days=30)  # G527: after its end, for the list
ADDRESS_FAILURES_FACTOR: Final = 10  # G29: a network may fail ten times as often as it may for one e-mail
MAX_SIGN_IN_DELAY_SECONDS: Final = 30  # G29: between tries for an e-mail that fails from several networks
KNOWN_DEVICE_LIFE: Final = timedelta(days=400)  # G29: no browser keeps a cookie longer
OIDC_SIGN_IN_LIFE: Final = timedelta(minutes=10)  # G821: between the way to the provider and back
OIDC_CLOCK_SKEW: Final = timedelta(seconds=60)  # G824
OIDC_LOGOUT_TOKEN_LIFE: Final = timedelta(minutes=5)  # G827
OIDC_DOCUMENT_LIFE: Final = timedelta(hours=1)  # G826: of a provider's metadata and keys
OIDC_REFETCH_AFTER: Final = timedelta(seconds=30)  # G826: for a key that is unknown, and after a failure
OIDC_SECONDS: Final = 5.0  # G826: of one answer
OIDC_ANSWER_MAX_BYTES: Final = 256 * KIB  # G826
OIDC_AT_ONCE: Final = 8  # G826: requests of a process to one provider
OIDC_TURN_SECONDS: Final = 1.0  # G826: how long the next one waits for its turn
OIDC_NEXT_MAX_CHARACTERS: Final = 1000  # G821: it travels in a cookie
REGISTRATION_WINDOW: Final = timedelta(hours=1)  # G30
DEMO_SESSIONS_PER_HOUR: Final = 60  # G255, per address
DEMO_SESSION_WINDOW: Final = timedelta(hours=1)  # G255
DEMO_WORKSPACE_LIFE: Final = timedelta(hours=6)  # G246
DEMO_SEED_VERSION: Final = 1  # G246

# One researcher, admins are not limited. Decision: G399.
USER_WINDOW: Final = timedelta(hours=1)
ORDERS_PER_HOUR: Final = 5_000
MESSAGES_PER_HOUR: Final = 5_000  # of tickets and orders; 100 MB at most
SAMPLE_TABLES_PER_HOUR: Final = 2_000  # with their previews
LARGE_SAVES_AT_ONCE: Final = (
    2  # of each process; SQLite has one writer, and such a save holds it for a second
)
LARGE_SAVES_IN_HAND: Final = 8  # those that wait included: each holds a thread and a connection
LARGE_SAVE_WAIT_SECONDS: Final = 15.0

# Packages and the registry. Decision: G129, G226, G256.
REGISTRY_ANSWER_MAX_BYTES: Final = 16 * MIB
REGISTRY_SECONDS: Final = 10.0
REGISTRY_MAX_REDIRECTS: Final = 3
TRUST_SECONDS: Final = 20.0  # G916: for all signed metadata of one act
TRUST_MAX_ROOTS: Final = 64  # G916: rotations that one act follows
TRUST_ROOT_MAX_BYTES: Final = 256 * 1024  # G916
TRUST_TIMESTAMP_MAX_BYTES: Final = 16 * 1024  # G916
TRUST_SNAPSHOT_MAX_BYTES: Final = 1 * MIB  # G916
TRUST_TARGETS_MAX_BYTES: Final = 4 * MIB  # G916
TRUST_CLOCK_SKEW: Final = timedelta(minutes=5)  # G918
TRUST_ROOT_ENDING: Final = timedelta(days=30)  # G981: holders of offline keys have to meet
TRUST_RELEASE_ENDING: Final = timedelta(days=14)  # G981
TRUST_TIMESTAMP_ENDING: Final = timedelta(days=2)  # G981: signed daily for seven, so not for five days
TRANSFER_BEGIN_SECONDS: Final = 30.0  # G333: dialling, and the first line of the answer
TRANSFER_IDLE_SECONDS: Final = 15.0  # G333: how long a transfer may stand still
DATABASE_SLICE_SECONDS: Final = 8.0  # G333: then the worker looks after its other work
DATABASE_MAX_FILES: Final = 5_000_000  # G334
CATALOG_MAX_BYTES: Final = 2 * MIB  # G443
CATALOG_MAX_ITEMS: Final = 5_000  # of one collection, G443
FINDINGS_SHOWN: Final = 500  # G443
CHECKLISTS_MAX_JUMP: Final = 1_000  # G444
IMAGE_MAX_BYTES: Final = 256 * 1024  # G586
IMAGE_MAX_PIXELS: Final = 4096  # of a side, G586
IMAGES_MAX: Final = 200  # of one sync, G586
IMAGES_KEPT_MAX: Final = 500  # G586: also of catalogs that were here before
IMAGES_SECONDS: Final = 20.0  # G586: somebody waits for the answer of a sync
IMAGE_UNUSED_KEPT: Final = timedelta(days=90)  # G586
CATALOG_FAILURE_REMEMBERED: Final = timedelta(seconds=60)  # G228

# Processes.
HEARTBEAT_EVERY: Final = timedelta(seconds=10)  # often enough to notice a dead process within a minute
HEARTBEAT_ALIVE: Final = timedelta(seconds=60)  # six missed heartbeats: a slow tick is not a dead process
JOB_MAX_ATTEMPTS: Final = 5  # a job that failed five times needs a person
JOB_LEASE: Final = timedelta(minutes=2)  # G326: a dead worker's job waits no longer; a living one renews
JOB_RENEWED_EVERY: Final = timedelta(seconds=10)  # G326: often enough for the heartbeat, which goes along

MAIL_LEASE: Final = timedelta(minutes=5)  # G839: longer than one mail may take
MAIL_STEP_SECONDS: Final = 20.0  # G839: of one answer of the server
MAIL_WHOLE_SECONDS: Final = 60.0  # G839: of one mail, however slowly the server answers
MAIL_TURN_SECONDS: Final = 10.0  # G839: then the worker looks after its other work
MAIL_LATE: Final = timedelta(days=7)  # G839: what waited so long for the settings is news no more
MAIL_SENT_KEPT: Final = timedelta(days=7)
MAIL_FAILED_KEPT: Final = timedelta(days=30)
MAIL_LISTED_MAX: Final = 200
MAIL_SUBJECT_MAX_CHARACTERS: Final = 120
MAIL_DIGEST_HOUR: Final = 6  # G840, in UTC
MAIL_DIGEST_MAX: Final = 100  # G840: of one mail; the rest is counted in it
LINK_ENDS_SOON: Final = timedelta(days=3)  # G841
RESET_REQUESTS_PER_HOUR: Final = 3  # G842, for one e-mail
RESET_REQUESTS_PER_NETWORK: Final = 30  # G842, in an hour
EVENT_MAX_ATTEMPTS: Final = 5  # G835: an event that fails five times would always fail

# Webhooks.
WEBHOOKS_MAX: Final = 20  # G850: each has a thread while it is sent something
WEBHOOK_URL_MAX_CHARACTERS: Final = 2048
WEBHOOK_SECRET_BYTES: Final = 32  # Standard Webhooks asks for 24 to 64
WEBHOOK_SECONDS: Final = 10.0  # G855: for an answer, once the connection stands
WEBHOOK_LOST_AFTER: Final = timedelta(minutes=2)  # G853: longer than any attempt, a slow name server included
WEBHOOK_DELIVERIES_SHOWN: Final = 100
WEBHOOK_DELIVERY_KEPT: Final = timedelta(days=30)  # G853
WEBHOOK_FAILING_AFTER: Final = timedelta(hours=1)  # G854: an update of the receiver takes less

# Database. One web process has some tens of threads; PostgreSQL allows 100 connections by default.
DATABASE_MAX_CONNECTIONS: Final = 20
DATABASE_POOL_WAIT_SECONDS: Final = 10
DATABASE_STALE_CONNECTION_SECONDS: Final = 300
DATABASE_STATEMENT_SECONDS: Final = 30
DATABASE_LOCK_SECONDS: Final = 10
DATABASE_IDLE_TRANSACTION_SECONDS: Final = 60
DATABASE_BUSY_MILLISECONDS: Final = 15_000  # longer than any transaction of ours, shorter than a client waits
