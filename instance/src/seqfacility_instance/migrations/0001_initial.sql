-- Every table of the first release. PostgreSQL's names of types; 0001_initial.py says SQLite's.

CREATE TABLE "departments" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "name" VARCHAR(255) NOT NULL,
    "description" TEXT,
    "is_active" BOOLEAN NOT NULL,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL
);
CREATE UNIQUE INDEX "departments_name"
    ON "departments" ("name");

CREATE TABLE "users" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "email" VARCHAR(255) NOT NULL,
    "password_hash" VARCHAR(255) NOT NULL,
    "first_name" VARCHAR(255) NOT NULL,
    "last_name" VARCHAR(255) NOT NULL,
    "role" VARCHAR(64) NOT NULL,
    "researcher_role" VARCHAR(64),
    "institution" VARCHAR(255),
    "department_id" VARCHAR(64),
    "is_active" BOOLEAN NOT NULL,
    "is_demo" BOOLEAN NOT NULL,
    "must_change_password" BOOLEAN NOT NULL,
    "last_sign_in_at" BIGINT,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,
    FOREIGN KEY ("department_id") REFERENCES "departments" ("id") ON DELETE RESTRICT
);
CREATE UNIQUE INDEX "users_email"
    ON "users" ("email");
CREATE INDEX "users_department_id"
    ON "users" ("department_id");
CREATE INDEX "users_created_at_id"
    ON "users" ("created_at", "id");
CREATE INDEX "users_role_created_at_id"
    ON "users" ("role", "created_at", "id");

CREATE TABLE "demo_workspaces" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "token_hash" VARCHAR(255) NOT NULL,
    "user_id" VARCHAR(64) NOT NULL,
    "admin_user_id" VARCHAR(64),
    "seed_version" INTEGER NOT NULL,
    "last_seen_at" BIGINT NOT NULL,
    "expires_at" BIGINT NOT NULL,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("admin_user_id") REFERENCES "users" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "demo_workspaces_token_hash"
    ON "demo_workspaces" ("token_hash");
CREATE UNIQUE INDEX "demo_workspaces_user_id"
    ON "demo_workspaces" ("user_id");
CREATE UNIQUE INDEX "demo_workspaces_admin_user_id"
    ON "demo_workspaces" ("admin_user_id");
CREATE INDEX "demo_workspaces_expires_at"
    ON "demo_workspaces" ("expires_at");

CREATE TABLE "sessions" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "token_hash" VARCHAR(255) NOT NULL,
    "user_id" VARCHAR(64) NOT NULL,
    "demo_workspace_id" VARCHAR(64),
    "address" VARCHAR(255),
    "created_at" BIGINT NOT NULL,
    "last_seen_at" BIGINT NOT NULL,
    "expires_at" BIGINT NOT NULL,
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("demo_workspace_id") REFERENCES "demo_workspaces" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "sessions_token_hash"
    ON "sessions" ("token_hash");
CREATE INDEX "sessions_user_id"
    ON "sessions" ("user_id");
CREATE INDEX "sessions_demo_workspace_id"
    ON "sessions" ("demo_workspace_id");
CREATE INDEX "sessions_expires_at"
    ON "sessions" ("expires_at");

CREATE TABLE "throttle_attempts" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "limit_name" VARCHAR(64) NOT NULL,
    "subject" VARCHAR(255) NOT NULL,
    "at" BIGINT NOT NULL
);
CREATE INDEX "throttle_attempts_limit_name_subject_at"
    ON "throttle_attempts" ("limit_name", "subject", "at");
CREATE INDEX "throttle_attempts_at"
    ON "throttle_attempts" ("at");

CREATE TABLE "password_reset_links" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "token_hash" VARCHAR(255) NOT NULL,
    "user_id" VARCHAR(64) NOT NULL,
    "created_by_id" VARCHAR(64),
    "created_at" BIGINT NOT NULL,
    "expires_at" BIGINT NOT NULL,
    "used_at" BIGINT,
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("created_by_id") REFERENCES "users" ("id") ON DELETE SET NULL
);
CREATE UNIQUE INDEX "password_reset_links_token_hash"
    ON "password_reset_links" ("token_hash");
CREATE INDEX "password_reset_links_user_id"
    ON "password_reset_links" ("user_id");
CREATE INDEX "password_reset_links_created_by_id"
    ON "password_reset_links" ("created_by_id");

CREATE TABLE "admin_invites" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "code_hash" VARCHAR(255) NOT NULL,
    "code_ending" VARCHAR(16) NOT NULL,
    "email" VARCHAR(255),
    "expires_at" BIGINT NOT NULL,
    "created_by_id" VARCHAR(64) NOT NULL,
    "created_at" BIGINT NOT NULL,
    "used_at" BIGINT,
    "used_by_id" VARCHAR(64),
    FOREIGN KEY ("created_by_id") REFERENCES "users" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("used_by_id") REFERENCES "users" ("id") ON DELETE SET NULL
);
CREATE UNIQUE INDEX "admin_invites_code_hash"
    ON "admin_invites" ("code_hash");
CREATE INDEX "admin_invites_created_by_id"
    ON "admin_invites" ("created_by_id");
CREATE INDEX "admin_invites_created_at"
    ON "admin_invites" ("created_at");
CREATE INDEX "admin_invites_used_by_id"
    ON "admin_invites" ("used_by_id");

CREATE TABLE "audit_events" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "at" BIGINT NOT NULL,
    "actor_id" VARCHAR(64),
    "action" VARCHAR(64) NOT NULL,
    "object_type" VARCHAR(64) NOT NULL,
    "object_id" VARCHAR(255),
    "detail" TEXT NOT NULL,
    "address" VARCHAR(255),
    FOREIGN KEY ("actor_id") REFERENCES "users" ("id") ON DELETE SET NULL
);
CREATE INDEX "audit_events_actor_id"
    ON "audit_events" ("actor_id");
CREATE INDEX "audit_events_at_id"
    ON "audit_events" ("at", "id");
CREATE INDEX "audit_events_action_at_id"
    ON "audit_events" ("action", "at", "id");
CREATE INDEX "audit_events_object_id_at_id"
    ON "audit_events" ("object_id", "at", "id");

CREATE TABLE "site_settings" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "modules_config" TEXT NOT NULL,
    "extra_settings" TEXT NOT NULL,
    "bootstrap_accounts" TEXT,
    "row_version" INTEGER NOT NULL,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL
);

CREATE TABLE "site_secrets" (
    "name" VARCHAR(64) NOT NULL PRIMARY KEY,
    "ciphertext" TEXT NOT NULL,
    "updated_at" BIGINT NOT NULL
);

CREATE TABLE "order_form_configs" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "schema" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "updated_at" BIGINT NOT NULL,
    "updated_by_id" VARCHAR(64),
    FOREIGN KEY ("updated_by_id") REFERENCES "users" ("id") ON DELETE SET NULL
);
CREATE INDEX "order_form_configs_updated_by_id"
    ON "order_form_configs" ("updated_by_id");

CREATE TABLE "order_form_versions" (
    "version" INTEGER NOT NULL PRIMARY KEY,
    "schema" TEXT NOT NULL,
    "saved_at" BIGINT NOT NULL,
    "saved_by_id" VARCHAR(64),
    FOREIGN KEY ("saved_by_id") REFERENCES "users" ("id") ON DELETE SET NULL
);
CREATE INDEX "order_form_versions_saved_by_id"
    ON "order_form_versions" ("saved_by_id");

CREATE TABLE "mixs_versions" (
    "version" INTEGER NOT NULL PRIMARY KEY,
    "source" VARCHAR(255),
    "activated_at" BIGINT NOT NULL
);

CREATE TABLE "mixs_checklists" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "mixs_version_id" INTEGER NOT NULL,
    "accession" VARCHAR(64) NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "normalized_name" VARCHAR(255) NOT NULL,
    "description" TEXT NOT NULL,
    "checklist_version" VARCHAR(255),
    "source" VARCHAR(255),
    "deprecated" BOOLEAN NOT NULL,
    "field_count" INTEGER NOT NULL,
    "mandatory_count" INTEGER NOT NULL,
    "fields" TEXT NOT NULL,
    "image" VARCHAR(2048),
    FOREIGN KEY ("mixs_version_id") REFERENCES "mixs_versions" ("version") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "mixs_checklists_mixs_version_id_accession"
    ON "mixs_checklists" ("mixs_version_id", "accession");
CREATE INDEX "mixs_checklists_mixs_version_id_normalized_name"
    ON "mixs_checklists" ("mixs_version_id", "normalized_name");

CREATE TABLE "mixs_availabilities" (
    "accession" VARCHAR(64) NOT NULL PRIMARY KEY,
    "available" BOOLEAN NOT NULL,
    "updated_at" BIGINT NOT NULL
);

CREATE TABLE "mixs_registries" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "active_version_id" INTEGER NOT NULL,
    "last_checked_at" BIGINT,
    "updated_at" BIGINT NOT NULL,
    FOREIGN KEY ("active_version_id") REFERENCES "mixs_versions" ("version") ON DELETE RESTRICT
);
CREATE INDEX "mixs_registries_active_version_id"
    ON "mixs_registries" ("active_version_id");

CREATE TABLE "sequencing_tech_catalogs" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "document" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "sync_url" VARCHAR(2048),
    "last_synced_at" BIGINT,
    "row_version" INTEGER NOT NULL,
    "updated_at" BIGINT NOT NULL
);

CREATE TABLE "named_leases" (
    "name" VARCHAR(128) NOT NULL PRIMARY KEY,
    "holder" VARCHAR(128),
    "leased_until" BIGINT,
    "failed_at" BIGINT
);

CREATE TABLE "process_heartbeats" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "name" VARCHAR(64) NOT NULL,
    "instance" VARCHAR(128) NOT NULL,
    "started_at" BIGINT NOT NULL,
    "last_heartbeat_at" BIGINT NOT NULL
);
CREATE UNIQUE INDEX "process_heartbeats_name_instance"
    ON "process_heartbeats" ("name", "instance");
CREATE INDEX "process_heartbeats_name_last_heartbeat_at"
    ON "process_heartbeats" ("name", "last_heartbeat_at");

CREATE TABLE "background_jobs" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "kind" VARCHAR(64) NOT NULL,
    "payload" TEXT NOT NULL,
    "dedupe_key" VARCHAR(255),
    "status" VARCHAR(64) NOT NULL,
    "attempts" INTEGER NOT NULL,
    "run_after" BIGINT NOT NULL,
    "lease_holder" VARCHAR(128),
    "leased_until" BIGINT,
    "last_error" TEXT,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,
    "finished_at" BIGINT
);
CREATE INDEX "background_jobs_status_run_after_id"
    ON "background_jobs" ("status", "run_after", "id");
CREATE INDEX "background_jobs_kind_status"
    ON "background_jobs" ("kind", "status");
CREATE UNIQUE INDEX "background_jobs_one_unfinished"
    ON "background_jobs" ("dedupe_key") WHERE ("status" IN ('waiting', 'running'));

CREATE TABLE "studies" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "title" VARCHAR(255) NOT NULL,
    "study_alias" VARCHAR(255),
    "description" TEXT,
    "checklist_type" VARCHAR(64),
    "study_accession_id" VARCHAR(255),
    "submitted" BOOLEAN NOT NULL,
    "ready_for_submission" BOOLEAN NOT NULL,
    "mixs_version" INTEGER NOT NULL,
    "metadata" TEXT NOT NULL,
    "user_id" VARCHAR(64) NOT NULL,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE RESTRICT
);
CREATE UNIQUE INDEX "studies_study_alias"
    ON "studies" ("study_alias");
CREATE INDEX "studies_user_id_created_at_id"
    ON "studies" ("user_id", "created_at", "id");
CREATE INDEX "studies_created_at_id"
    ON "studies" ("created_at", "id");

CREATE TABLE "study_forms" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "study_id" VARCHAR(64) NOT NULL,
    "fields" TEXT NOT NULL,
    "groups" TEXT NOT NULL,
    "updated_at" BIGINT NOT NULL,
    "updated_by_id" VARCHAR(64),
    FOREIGN KEY ("study_id") REFERENCES "studies" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("updated_by_id") REFERENCES "users" ("id") ON DELETE SET NULL
);
CREATE UNIQUE INDEX "study_forms_study_id"
    ON "study_forms" ("study_id");
CREATE INDEX "study_forms_updated_by_id"
    ON "study_forms" ("updated_by_id");

CREATE TABLE "submissions" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "submission_type" VARCHAR(64) NOT NULL,
    "status" VARCHAR(64) NOT NULL,
    "xml_content" TEXT,
    "response" TEXT,
    "accession_numbers" TEXT,
    "entity_type" VARCHAR(64) NOT NULL,
    "entity_id" VARCHAR(64) NOT NULL,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL
);
CREATE INDEX "submissions_entity_type_entity_id_created_at"
    ON "submissions" ("entity_type", "entity_id", "created_at");
CREATE UNIQUE INDEX "submissions_one_open"
    ON "submissions" ("entity_type", "entity_id", "submission_type") WHERE ("status" IN ('PENDING', 'SUBMITTED'));

CREATE TABLE "order_number_counters" (
    "day" VARCHAR(8) NOT NULL PRIMARY KEY,
    "last_count" INTEGER NOT NULL
);

CREATE TABLE "orders" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "order_number" VARCHAR(32) NOT NULL,
    "name" VARCHAR(255),
    "status" VARCHAR(64) NOT NULL,
    "platform" VARCHAR(255),
    "library_strategy" VARCHAR(255),
    "library_source" VARCHAR(255),
    "custom_fields" TEXT NOT NULL,
    "user_id" VARCHAR(64) NOT NULL,
    "sequencing_files_published_at" BIGINT,
    "published_by_id" VARCHAR(64),
    "form_version" INTEGER NOT NULL,
    "sample_count" INTEGER NOT NULL,
    "active_read_count" INTEGER NOT NULL,
    "cleaned_read_count" INTEGER NOT NULL,
    "status_updated_at" BIGINT NOT NULL,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("published_by_id") REFERENCES "users" ("id") ON DELETE SET NULL
);
CREATE UNIQUE INDEX "orders_order_number"
    ON "orders" ("order_number");
CREATE INDEX "orders_published_by_id"
    ON "orders" ("published_by_id");
CREATE INDEX "orders_user_id_created_at_id"
    ON "orders" ("user_id", "created_at", "id");
CREATE INDEX "orders_status_created_at_id"
    ON "orders" ("status", "created_at", "id");
CREATE INDEX "orders_created_at_id"
    ON "orders" ("created_at", "id");

CREATE TABLE "status_notes" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "order_id" VARCHAR(64) NOT NULL,
    "note_type" VARCHAR(64) NOT NULL,
    "content" TEXT NOT NULL,
    "user_id" VARCHAR(64),
    "created_at" BIGINT NOT NULL,
    FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE SET NULL
);
CREATE INDEX "status_notes_user_id"
    ON "status_notes" ("user_id");
CREATE INDEX "status_notes_order_id_created_at_id"
    ON "status_notes" ("order_id", "created_at", "id");

CREATE TABLE "samplesets" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "order_id" VARCHAR(64) NOT NULL,
    "checklists" TEXT NOT NULL,
    "selected_fields" TEXT,
    "field_overrides" TEXT,
    "sample_type" INTEGER NOT NULL,
    FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "samplesets_order_id"
    ON "samplesets" ("order_id");

CREATE TABLE "samples" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "sample_code" VARCHAR(64) NOT NULL,
    "sample_alias" VARCHAR(255),
    "scientific_name" VARCHAR(255),
    "tax_id" VARCHAR(255),
    "checklist_data" TEXT NOT NULL,
    "checklist_units" TEXT NOT NULL,
    "custom_fields" TEXT NOT NULL,
    "order_id" VARCHAR(64) NOT NULL,
    "study_id" VARCHAR(64),
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,
    FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("study_id") REFERENCES "studies" ("id") ON DELETE SET NULL
);
CREATE UNIQUE INDEX "samples_sample_code"
    ON "samples" ("sample_code");
CREATE INDEX "samples_order_id_created_at_id"
    ON "samples" ("order_id", "created_at", "id");
CREATE INDEX "samples_study_id_created_at_id"
    ON "samples" ("study_id", "created_at", "id");
CREATE INDEX "samples_created_at_id"
    ON "samples" ("created_at", "id");

CREATE TABLE "pipeline_packages" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "pipeline_id" VARCHAR(128) NOT NULL,
    "version" VARCHAR(64) NOT NULL,
    "origin" VARCHAR(64) NOT NULL,
    "sha256" VARCHAR(64),
    "folder" TEXT NOT NULL,
    "source" TEXT,
    "is_current" BOOLEAN NOT NULL,
    "installed_at" BIGINT NOT NULL,
    "installed_by_id" VARCHAR(64),
    FOREIGN KEY ("installed_by_id") REFERENCES "users" ("id") ON DELETE SET NULL
);
CREATE INDEX "pipeline_packages_installed_by_id"
    ON "pipeline_packages" ("installed_by_id");
CREATE UNIQUE INDEX "pipeline_packages_pipeline_id_version"
    ON "pipeline_packages" ("pipeline_id", "version");
CREATE UNIQUE INDEX "pipeline_packages_one_current"
    ON "pipeline_packages" ("pipeline_id") WHERE "is_current";

CREATE TABLE "pipeline_configs" (
    "pipeline_id" VARCHAR(128) NOT NULL PRIMARY KEY,
    "enabled" BOOLEAN NOT NULL,
    "config" TEXT NOT NULL,
    "updated_at" BIGINT NOT NULL,
    "updated_by_id" VARCHAR(64),
    FOREIGN KEY ("updated_by_id") REFERENCES "users" ("id") ON DELETE SET NULL
);
CREATE INDEX "pipeline_configs_updated_by_id"
    ON "pipeline_configs" ("updated_by_id");

CREATE TABLE "run_number_counters" (
    "pipeline_id" VARCHAR(128) NOT NULL,
    "day" VARCHAR(8) NOT NULL,
    "last_count" INTEGER NOT NULL,
    PRIMARY KEY ("pipeline_id", "day")
);

CREATE TABLE "pipeline_runs" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "run_number" VARCHAR(192) NOT NULL,
    "pipeline_id" VARCHAR(128) NOT NULL,
    "pipeline_version" VARCHAR(64) NOT NULL,
    "package_sha256" VARCHAR(64),
    "status" VARCHAR(64) NOT NULL,
    "progress" INTEGER NOT NULL,
    "current_step" TEXT,
    "target_type" VARCHAR(64) NOT NULL,
    "study_id" VARCHAR(64),
    "order_id" VARCHAR(64),
    "user_id" VARCHAR(64) NOT NULL,
    "requested_mode" VARCHAR(64) NOT NULL,
    "execution_mode" VARCHAR(64) NOT NULL,
    "input_sample_ids" TEXT,
    "config" TEXT NOT NULL,
    "run_folder" TEXT,
    "failure" TEXT,
    "visible_to_id" VARCHAR(64),
    "launch_token" VARCHAR(64),
    "launch_claimed_at" BIGINT,
    "cancel_requested_at" BIGINT,
    "command" TEXT,
    "job_id" VARCHAR(64),
    "pid" INTEGER,
    "process_started_ticks" BIGINT,
    "boot_id" VARCHAR(64),
    "queue_status" VARCHAR(64),
    "queue_source" VARCHAR(64),
    "queue_checked_at" BIGINT,
    "job_missing_since" BIGINT,
    "job_ended_at" BIGINT,
    "exit_code" INTEGER,
    "trace_offset" BIGINT NOT NULL,
    "output_tail" TEXT,
    "error_tail" TEXT,
    "technical_files" TEXT,
    "outputs_resolved_at" BIGINT,
    "outputs_attempts" INTEGER NOT NULL,
    "outputs_retry_at" BIGINT,
    "outputs_problem" TEXT,
    "lease_holder" VARCHAR(128),
    "leased_until" BIGINT,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,
    "queued_at" BIGINT,
    "started_at" BIGINT,
    "completed_at" BIGINT,
    "last_event_at" BIGINT,
    FOREIGN KEY ("study_id") REFERENCES "studies" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("visible_to_id") REFERENCES "users" ("id") ON DELETE SET NULL,
    CHECK (study_id IS NULL OR order_id IS NULL)
);
CREATE UNIQUE INDEX "pipeline_runs_run_number"
    ON "pipeline_runs" ("run_number");
CREATE INDEX "pipeline_runs_user_id"
    ON "pipeline_runs" ("user_id");
CREATE INDEX "pipeline_runs_created_at_id"
    ON "pipeline_runs" ("created_at", "id");
CREATE INDEX "pipeline_runs_status_created_at_id"
    ON "pipeline_runs" ("status", "created_at", "id");
CREATE INDEX "pipeline_runs_pipeline_id_status_created_at_id"
    ON "pipeline_runs" ("pipeline_id", "status", "created_at", "id");
CREATE INDEX "pipeline_runs_pipeline_id_created_at_id"
    ON "pipeline_runs" ("pipeline_id", "created_at", "id");
CREATE INDEX "pipeline_runs_order_id_created_at_id"
    ON "pipeline_runs" ("order_id", "created_at", "id");
CREATE INDEX "pipeline_runs_study_id_created_at_id"
    ON "pipeline_runs" ("study_id", "created_at", "id");
CREATE INDEX "pipeline_runs_visible_to"
    ON "pipeline_runs" ("visible_to_id", "created_at", "id") WHERE ("visible_to_id" IS NOT NULL);
CREATE INDEX "pipeline_runs_selected"
    ON "pipeline_runs" ("created_at", "id") WHERE ("visible_to_id" IS NOT NULL);

CREATE TABLE "pipeline_run_steps" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "pipeline_run_id" VARCHAR(64) NOT NULL,
    "step_id" VARCHAR(255) NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "position" INTEGER NOT NULL,
    "status" VARCHAR(64) NOT NULL,
    "attempt" INTEGER NOT NULL,
    "started_at" BIGINT,
    "completed_at" BIGINT,
    FOREIGN KEY ("pipeline_run_id") REFERENCES "pipeline_runs" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "pipeline_run_steps_pipeline_run_id_step_id"
    ON "pipeline_run_steps" ("pipeline_run_id", "step_id");
CREATE INDEX "pipeline_run_steps_pipeline_run_id_position"
    ON "pipeline_run_steps" ("pipeline_run_id", "position");

CREATE TABLE "pipeline_run_events" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "pipeline_run_id" VARCHAR(64) NOT NULL,
    "event_type" VARCHAR(100) NOT NULL,
    "process_name" TEXT,
    "step_id" VARCHAR(255),
    "status" TEXT,
    "message" VARCHAR(500),
    "payload" TEXT,
    "source" VARCHAR(64) NOT NULL,
    "identity" VARCHAR(64) NOT NULL,
    "occurred_at" BIGINT NOT NULL,
    "received_at" BIGINT NOT NULL,
    FOREIGN KEY ("pipeline_run_id") REFERENCES "pipeline_runs" ("id") ON DELETE CASCADE
);
CREATE INDEX "pipeline_run_events_pipeline_run_id_identity_occurred_at"
    ON "pipeline_run_events" ("pipeline_run_id", "identity", "occurred_at");
CREATE INDEX "pipeline_run_events_pipeline_run_id_occurred_at_id"
    ON "pipeline_run_events" ("pipeline_run_id", "occurred_at", "id");

CREATE TABLE "pipeline_run_tasks" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "pipeline_run_id" VARCHAR(64) NOT NULL,
    "identity" VARCHAR(64) NOT NULL,
    "task_identity" VARCHAR(64) NOT NULL,
    "process" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "task_id" TEXT,
    "hash" TEXT,
    "tag" TEXT,
    "name" TEXT,
    "status" TEXT NOT NULL,
    "exit" INTEGER,
    "submitted_at" BIGINT,
    "started_at" BIGINT,
    "completed_at" BIGINT,
    "duration_ms" BIGINT,
    "cpu_percent" DOUBLE PRECISION,
    "peak_rss_bytes" BIGINT,
    FOREIGN KEY ("pipeline_run_id") REFERENCES "pipeline_runs" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "pipeline_run_tasks_pipeline_run_id_identity"
    ON "pipeline_run_tasks" ("pipeline_run_id", "identity");
CREATE INDEX "pipeline_run_tasks_pipeline_run_id_task_identity"
    ON "pipeline_run_tasks" ("pipeline_run_id", "task_identity");
CREATE INDEX "pipeline_run_tasks_pipeline_run_id_submitted_at_id"
    ON "pipeline_run_tasks" ("pipeline_run_id", "submitted_at", "id");
CREATE INDEX "pipeline_run_tasks_pipeline_run_id_status_submitted_at_id"
    ON "pipeline_run_tasks" ("pipeline_run_id", "status", "submitted_at", "id");

CREATE TABLE "pipeline_run_task_counts" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "pipeline_run_id" VARCHAR(64) NOT NULL,
    "identity" VARCHAR(64) NOT NULL,
    "process" TEXT NOT NULL,
    "tasks" INTEGER NOT NULL,
    "good_tasks" INTEGER NOT NULL,
    "attempts" TEXT NOT NULL,
    FOREIGN KEY ("pipeline_run_id") REFERENCES "pipeline_runs" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "pipeline_run_task_counts_pipeline_run_id_identity"
    ON "pipeline_run_task_counts" ("pipeline_run_id", "identity");

CREATE TABLE "sequencing_runs" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "order_id" VARCHAR(64) NOT NULL,
    "run_id" VARCHAR(255) NOT NULL,
    "run_name" VARCHAR(255),
    "platform" VARCHAR(255),
    "instrument" VARCHAR(255),
    "run_date" VARCHAR(10),
    "folder_path" TEXT,
    "q30_score" DOUBLE PRECISION,
    "cluster_density" DOUBLE PRECISION,
    "pass_filter_pct" DOUBLE PRECISION,
    "total_reads" BIGINT,
    "total_bases" BIGINT,
    "run_parameters" TEXT NOT NULL,
    "notes" TEXT,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,
    FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "sequencing_runs_order_id_run_id"
    ON "sequencing_runs" ("order_id", "run_id");
CREATE INDEX "sequencing_runs_order_id_created_at_id"
    ON "sequencing_runs" ("order_id", "created_at", "id");

CREATE TABLE "sequencing_run_samples" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "sequencing_run_id" VARCHAR(64) NOT NULL,
    "sample_id" VARCHAR(64) NOT NULL,
    "barcode" VARCHAR(255),
    "custom_fields" TEXT NOT NULL,
    "notes" TEXT,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,
    FOREIGN KEY ("sequencing_run_id") REFERENCES "sequencing_runs" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("sample_id") REFERENCES "samples" ("id") ON DELETE CASCADE
);
CREATE INDEX "sequencing_run_samples_sample_id"
    ON "sequencing_run_samples" ("sample_id");
CREATE UNIQUE INDEX "sequencing_run_samples_sequencing_run_id_sample_id"
    ON "sequencing_run_samples" ("sequencing_run_id", "sample_id");
CREATE UNIQUE INDEX "sequencing_run_samples_sequencing_run_id_barcode"
    ON "sequencing_run_samples" ("sequencing_run_id", "barcode");

CREATE TABLE "reads" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "sample_id" VARCHAR(64) NOT NULL,
    "sequencing_run_id" VARCHAR(64),
    "file1" TEXT,
    "file2" TEXT,
    "size1" BIGINT,
    "size2" BIGINT,
    "checksum1" VARCHAR(255),
    "checksum2" VARCHAR(255),
    "checksum_verified1" BOOLEAN,
    "checksum_verified2" BOOLEAN,
    "read_count1" BIGINT,
    "read_count2" BIGINT,
    "avg_quality1" DOUBLE PRECISION,
    "avg_quality2" DOUBLE PRECISION,
    "written_values" TEXT NOT NULL,
    "intake1" TEXT,
    "intake2" TEXT,
    "experiment_accession_number" VARCHAR(255),
    "run_accession_number" VARCHAR(255),
    "data_class" VARCHAR(64) NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    "superseded_by_id" VARCHAR(64),
    "source" VARCHAR(64) NOT NULL,
    "pipeline_run_id" VARCHAR(64),
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,
    FOREIGN KEY ("sample_id") REFERENCES "samples" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("sequencing_run_id") REFERENCES "sequencing_runs" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("superseded_by_id") REFERENCES "reads" ("id") ON DELETE SET NULL,
    FOREIGN KEY ("pipeline_run_id") REFERENCES "pipeline_runs" ("id") ON DELETE SET NULL
);
CREATE INDEX "reads_sequencing_run_id"
    ON "reads" ("sequencing_run_id");
CREATE INDEX "reads_file1"
    ON "reads" ("file1");
CREATE INDEX "reads_file2"
    ON "reads" ("file2");
CREATE INDEX "reads_superseded_by_id"
    ON "reads" ("superseded_by_id");
CREATE INDEX "reads_pipeline_run_id"
    ON "reads" ("pipeline_run_id");
CREATE INDEX "reads_sample_id_created_at_id"
    ON "reads" ("sample_id", "created_at", "id");
CREATE UNIQUE INDEX "reads_one_active"
    ON "reads" ("sample_id") WHERE "is_active";

CREATE TABLE "sequencing_artifacts" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "order_id" VARCHAR(64) NOT NULL,
    "sample_id" VARCHAR(64),
    "sequencing_run_id" VARCHAR(64),
    "artifact_type" VARCHAR(64) NOT NULL,
    "stage" VARCHAR(64) NOT NULL,
    "visibility" VARCHAR(64) NOT NULL,
    "source" VARCHAR(64) NOT NULL,
    "path" TEXT NOT NULL,
    "original_name" VARCHAR(255) NOT NULL,
    "size" BIGINT,
    "checksum" VARCHAR(255),
    "mime_type" VARCHAR(255),
    "metadata" TEXT NOT NULL,
    "created_by_id" VARCHAR(64),
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,
    FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("sample_id") REFERENCES "samples" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("sequencing_run_id") REFERENCES "sequencing_runs" ("id") ON DELETE SET NULL,
    FOREIGN KEY ("created_by_id") REFERENCES "users" ("id") ON DELETE SET NULL
);
CREATE INDEX "sequencing_artifacts_sample_id"
    ON "sequencing_artifacts" ("sample_id");
CREATE INDEX "sequencing_artifacts_sequencing_run_id"
    ON "sequencing_artifacts" ("sequencing_run_id");
CREATE UNIQUE INDEX "sequencing_artifacts_path"
    ON "sequencing_artifacts" ("path");
CREATE INDEX "sequencing_artifacts_created_by_id"
    ON "sequencing_artifacts" ("created_by_id");
CREATE INDEX "sequencing_artifacts_order_id_created_at_id"
    ON "sequencing_artifacts" ("order_id", "created_at", "id");

CREATE TABLE "sequencing_uploads" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "order_id" VARCHAR(64) NOT NULL,
    "sample_id" VARCHAR(64),
    "target_kind" VARCHAR(64) NOT NULL,
    "target_role" VARCHAR(64) NOT NULL,
    "original_name" VARCHAR(255) NOT NULL,
    "mime_type" VARCHAR(255),
    "temp_path" TEXT NOT NULL,
    "final_path" TEXT,
    "expected_size" BIGINT NOT NULL,
    "received_size" BIGINT NOT NULL,
    "status" VARCHAR(64) NOT NULL,
    "checksum_provided" VARCHAR(255),
    "checksum_computed" VARCHAR(255),
    "checksum_matches" BOOLEAN,
    "intake" TEXT,
    "metadata" TEXT NOT NULL,
    "read_id" VARCHAR(64),
    "artifact_id" VARCHAR(64),
    "created_by_id" VARCHAR(64) NOT NULL,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,
    "completed_at" BIGINT,
    FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("sample_id") REFERENCES "samples" ("id") ON DELETE SET NULL,
    FOREIGN KEY ("read_id") REFERENCES "reads" ("id") ON DELETE SET NULL,
    FOREIGN KEY ("artifact_id") REFERENCES "sequencing_artifacts" ("id") ON DELETE SET NULL,
    FOREIGN KEY ("created_by_id") REFERENCES "users" ("id") ON DELETE RESTRICT
);
CREATE INDEX "sequencing_uploads_sample_id"
    ON "sequencing_uploads" ("sample_id");
CREATE UNIQUE INDEX "sequencing_uploads_final_path"
    ON "sequencing_uploads" ("final_path");
CREATE INDEX "sequencing_uploads_read_id"
    ON "sequencing_uploads" ("read_id");
CREATE INDEX "sequencing_uploads_artifact_id"
    ON "sequencing_uploads" ("artifact_id");
CREATE INDEX "sequencing_uploads_created_by_id"
    ON "sequencing_uploads" ("created_by_id");
CREATE INDEX "sequencing_uploads_order_id_created_at_id"
    ON "sequencing_uploads" ("order_id", "created_at", "id");
CREATE INDEX "sequencing_uploads_status_updated_at"
    ON "sequencing_uploads" ("status", "updated_at");

CREATE TABLE "pipeline_result_selections" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "pipeline_id" VARCHAR(128) NOT NULL,
    "target_key" VARCHAR(128) NOT NULL,
    "study_id" VARCHAR(64),
    "order_id" VARCHAR(64),
    "selected_run_id" VARCHAR(64) NOT NULL,
    "selected_by_id" VARCHAR(64) NOT NULL,
    "selected_at" BIGINT NOT NULL,
    FOREIGN KEY ("study_id") REFERENCES "studies" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("selected_run_id") REFERENCES "pipeline_runs" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("selected_by_id") REFERENCES "users" ("id") ON DELETE RESTRICT
);
CREATE INDEX "pipeline_result_selections_study_id"
    ON "pipeline_result_selections" ("study_id");
CREATE INDEX "pipeline_result_selections_order_id"
    ON "pipeline_result_selections" ("order_id");
CREATE UNIQUE INDEX "pipeline_result_selections_selected_run_id"
    ON "pipeline_result_selections" ("selected_run_id");
CREATE INDEX "pipeline_result_selections_selected_by_id"
    ON "pipeline_result_selections" ("selected_by_id");
CREATE UNIQUE INDEX "pipeline_result_selections_pipeline_id_target_key"
    ON "pipeline_result_selections" ("pipeline_id", "target_key");

CREATE TABLE "assemblies" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "assembly_name" VARCHAR(255) NOT NULL,
    "assembly_file" TEXT NOT NULL,
    "assembly_accession" VARCHAR(255),
    "size" BIGINT,
    "sample_id" VARCHAR(64) NOT NULL,
    "created_by_pipeline_run_id" VARCHAR(64) NOT NULL,
    "created_at" BIGINT NOT NULL,
    FOREIGN KEY ("sample_id") REFERENCES "samples" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("created_by_pipeline_run_id") REFERENCES "pipeline_runs" ("id") ON DELETE CASCADE
);
CREATE INDEX "assemblies_assembly_file"
    ON "assemblies" ("assembly_file");
CREATE INDEX "assemblies_created_by_pipeline_run_id"
    ON "assemblies" ("created_by_pipeline_run_id");
CREATE UNIQUE INDEX "assemblies_sample_id_created_by_pipeline_run_id_assembly_file"
    ON "assemblies" ("sample_id", "created_by_pipeline_run_id", "assembly_file");
CREATE INDEX "assemblies_created_at_id"
    ON "assemblies" ("created_at", "id");

CREATE TABLE "bins" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "bin_name" VARCHAR(255) NOT NULL,
    "bin_file" TEXT NOT NULL,
    "completeness" DOUBLE PRECISION NOT NULL,
    "contamination" DOUBLE PRECISION NOT NULL,
    "size" BIGINT,
    "sample_id" VARCHAR(64) NOT NULL,
    "created_by_pipeline_run_id" VARCHAR(64) NOT NULL,
    "created_at" BIGINT NOT NULL,
    FOREIGN KEY ("sample_id") REFERENCES "samples" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("created_by_pipeline_run_id") REFERENCES "pipeline_runs" ("id") ON DELETE CASCADE
);
CREATE INDEX "bins_created_by_pipeline_run_id"
    ON "bins" ("created_by_pipeline_run_id");
CREATE UNIQUE INDEX "bins_sample_id_created_by_pipeline_run_id_bin_file"
    ON "bins" ("sample_id", "created_by_pipeline_run_id", "bin_file");

CREATE TABLE "pipeline_artifacts" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "type" VARCHAR(64) NOT NULL,
    "name" VARCHAR(255),
    "path" TEXT NOT NULL,
    "checksum" VARCHAR(255),
    "size" BIGINT,
    "study_id" VARCHAR(64),
    "sample_id" VARCHAR(64),
    "pipeline_run_id" VARCHAR(64),
    "produced_by_step_id" VARCHAR(128),
    "metadata" TEXT NOT NULL,
    "output_id" VARCHAR(128),
    "output_label" VARCHAR(255),
    "output_position" INTEGER NOT NULL,
    "is_primary" BOOLEAN NOT NULL,
    "candidate_status" VARCHAR(64),
    "file1" TEXT,
    "file2" TEXT,
    "read_layout" VARCHAR(64),
    "target_data_class" VARCHAR(64),
    "promoted_at" BIGINT,
    "promoted_read_id" VARCHAR(64),
    "created_at" BIGINT NOT NULL,
    FOREIGN KEY ("study_id") REFERENCES "studies" ("id") ON DELETE SET NULL,
    FOREIGN KEY ("sample_id") REFERENCES "samples" ("id") ON DELETE SET NULL,
    FOREIGN KEY ("pipeline_run_id") REFERENCES "pipeline_runs" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("promoted_read_id") REFERENCES "reads" ("id") ON DELETE SET NULL
);
CREATE INDEX "pipeline_artifacts_path"
    ON "pipeline_artifacts" ("path");
CREATE INDEX "pipeline_artifacts_study_id"
    ON "pipeline_artifacts" ("study_id");
CREATE INDEX "pipeline_artifacts_sample_id"
    ON "pipeline_artifacts" ("sample_id");
CREATE INDEX "pipeline_artifacts_promoted_read_id"
    ON "pipeline_artifacts" ("promoted_read_id");
CREATE UNIQUE INDEX "pipeline_artifacts_pipeline_run_id_path"
    ON "pipeline_artifacts" ("pipeline_run_id", "path");
CREATE INDEX "pipeline_artifacts_pipeline_run_id_output_position_id"
    ON "pipeline_artifacts" ("pipeline_run_id", "output_position", "id");
CREATE INDEX "pipeline_artifacts_candidates"
    ON "pipeline_artifacts" ("pipeline_run_id", "candidate_status") WHERE ("candidate_status" IS NOT NULL);

CREATE TABLE "stream_runs" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "order_id" VARCHAR(64) NOT NULL,
    "minknow_run_id" VARCHAR(255),
    "flow_cell_id" VARCHAR(255),
    "device_id" VARCHAR(255),
    "output_dir" TEXT NOT NULL,
    "directory_identity" VARCHAR(64),
    "status" VARCHAR(64) NOT NULL,
    "total_bases" BIGINT NOT NULL,
    "total_reads" BIGINT NOT NULL,
    "total_files" BIGINT NOT NULL,
    "barcode_map" TEXT NOT NULL,
    "last_seq" BIGINT NOT NULL,
    "started_by_id" VARCHAR(64),
    "started_at" BIGINT NOT NULL,
    "last_seen_at" BIGINT NOT NULL,
    "stop_requested_at" BIGINT,
    "stopped_at" BIGINT,
    "last_file_at" BIGINT,
    "stalled_at" BIGINT,
    "finished_hint_at" BIGINT,
    "vanished_at" BIGINT,
    "verification" TEXT,
    "lease_holder" VARCHAR(128),
    "leased_until" BIGINT,
    FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("started_by_id") REFERENCES "users" ("id") ON DELETE SET NULL
);
CREATE INDEX "stream_runs_started_by_id"
    ON "stream_runs" ("started_by_id");
CREATE INDEX "stream_runs_order_id_started_at_id"
    ON "stream_runs" ("order_id", "started_at", "id");
CREATE INDEX "stream_runs_status_started_at"
    ON "stream_runs" ("status", "started_at");
CREATE UNIQUE INDEX "stream_runs_one_active"
    ON "stream_runs" ("output_dir") WHERE ("status" = 'ACTIVE');

CREATE TABLE "stream_files" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "stream_run_id" VARCHAR(64) NOT NULL,
    "path" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "modified_ns" BIGINT NOT NULL,
    "inode" VARCHAR(32) NOT NULL,
    "barcode" VARCHAR(255) NOT NULL,
    "reads" BIGINT NOT NULL,
    "bases" BIGINT NOT NULL,
    "malformed" BOOLEAN NOT NULL,
    "sha256" VARCHAR(64),
    "share" TEXT,
    "counted_size" BIGINT,
    "counted_modified_ns" BIGINT,
    "counted_at" BIGINT,
    "reported_problem" TEXT,
    "unchanged_since" BIGINT NOT NULL,
    FOREIGN KEY ("stream_run_id") REFERENCES "stream_runs" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "stream_files_stream_run_id_path"
    ON "stream_files" ("stream_run_id", "path");
CREATE INDEX "stream_files_stream_run_id_barcode"
    ON "stream_files" ("stream_run_id", "barcode");

CREATE TABLE "stream_barcodes" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "stream_run_id" VARCHAR(64) NOT NULL,
    "barcode" VARCHAR(255) NOT NULL,
    "file_count" BIGINT NOT NULL,
    "total_size" BIGINT NOT NULL,
    "total_reads" BIGINT NOT NULL,
    "total_bases" BIGINT NOT NULL,
    "expected_errors" BIGINT NOT NULL,
    "last_file_at" BIGINT,
    "last_file_path" TEXT,
    "reported_unmapped" BOOLEAN NOT NULL,
    FOREIGN KEY ("stream_run_id") REFERENCES "stream_runs" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "stream_barcodes_stream_run_id_barcode"
    ON "stream_barcodes" ("stream_run_id", "barcode");

CREATE TABLE "stream_minutes" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "stream_run_id" VARCHAR(64) NOT NULL,
    "barcode" VARCHAR(255) NOT NULL,
    "minute" BIGINT NOT NULL,
    "files" BIGINT NOT NULL,
    "reads" BIGINT NOT NULL,
    "bases" BIGINT NOT NULL,
    "expected_errors" BIGINT NOT NULL,
    FOREIGN KEY ("stream_run_id") REFERENCES "stream_runs" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "stream_minutes_stream_run_id_barcode_minute"
    ON "stream_minutes" ("stream_run_id", "barcode", "minute");

CREATE TABLE "stream_length_buckets" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "stream_run_id" VARCHAR(64) NOT NULL,
    "barcode" VARCHAR(255) NOT NULL,
    "from_length" BIGINT NOT NULL,
    "reads" BIGINT NOT NULL,
    "bases" BIGINT NOT NULL,
    FOREIGN KEY ("stream_run_id") REFERENCES "stream_runs" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "stream_length_buckets_stream_run_id_barcode_from_length"
    ON "stream_length_buckets" ("stream_run_id", "barcode", "from_length");

CREATE TABLE "stream_quality_buckets" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "stream_run_id" VARCHAR(64) NOT NULL,
    "barcode" VARCHAR(255) NOT NULL,
    "from_score" DOUBLE PRECISION NOT NULL,
    "reads" BIGINT NOT NULL,
    "bases" BIGINT NOT NULL,
    FOREIGN KEY ("stream_run_id") REFERENCES "stream_runs" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "stream_quality_buckets_stream_run_id_barcode_from_score"
    ON "stream_quality_buckets" ("stream_run_id", "barcode", "from_score");

CREATE TABLE "stream_events" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "stream_run_id" VARCHAR(64) NOT NULL,
    "seq" BIGINT NOT NULL,
    "ts" BIGINT NOT NULL,
    "kind" VARCHAR(64) NOT NULL,
    "payload" TEXT NOT NULL,
    FOREIGN KEY ("stream_run_id") REFERENCES "stream_runs" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "stream_events_stream_run_id_seq"
    ON "stream_events" ("stream_run_id", "seq");

CREATE TABLE "tickets" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "subject" VARCHAR(255) NOT NULL,
    "status" VARCHAR(64) NOT NULL,
    "priority" VARCHAR(64) NOT NULL,
    "user_id" VARCHAR(64) NOT NULL,
    "order_id" VARCHAR(64),
    "study_id" VARCHAR(64),
    "last_message_at" BIGINT NOT NULL,
    "closed_at" BIGINT,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON DELETE SET NULL,
    FOREIGN KEY ("study_id") REFERENCES "studies" ("id") ON DELETE SET NULL
);
CREATE INDEX "tickets_order_id"
    ON "tickets" ("order_id");
CREATE INDEX "tickets_study_id"
    ON "tickets" ("study_id");
CREATE INDEX "tickets_user_id_created_at_id"
    ON "tickets" ("user_id", "created_at", "id");
CREATE INDEX "tickets_status_created_at_id"
    ON "tickets" ("status", "created_at", "id");
CREATE INDEX "tickets_created_at_id"
    ON "tickets" ("created_at", "id");

CREATE TABLE "ticket_messages" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "ticket_id" VARCHAR(64) NOT NULL,
    "sender_id" VARCHAR(64) NOT NULL,
    "body" TEXT NOT NULL,
    "read_by" TEXT NOT NULL,
    "created_at" BIGINT NOT NULL,
    FOREIGN KEY ("ticket_id") REFERENCES "tickets" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("sender_id") REFERENCES "users" ("id") ON DELETE RESTRICT
);
CREATE INDEX "ticket_messages_sender_id"
    ON "ticket_messages" ("sender_id");
CREATE INDEX "ticket_messages_ticket_id_created_at_id"
    ON "ticket_messages" ("ticket_id", "created_at", "id");

CREATE TABLE "notifications" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "user_id" VARCHAR(64) NOT NULL,
    "type" VARCHAR(64) NOT NULL,
    "title" TEXT NOT NULL,
    "order_id" VARCHAR(64),
    "ticket_id" VARCHAR(64),
    "pipeline_run_id" VARCHAR(64),
    "read_at" BIGINT,
    "created_at" BIGINT NOT NULL,
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("ticket_id") REFERENCES "tickets" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("pipeline_run_id") REFERENCES "pipeline_runs" ("id") ON DELETE CASCADE
);
CREATE INDEX "notifications_order_id"
    ON "notifications" ("order_id");
CREATE INDEX "notifications_ticket_id"
    ON "notifications" ("ticket_id");
CREATE INDEX "notifications_pipeline_run_id"
    ON "notifications" ("pipeline_run_id");
CREATE INDEX "notifications_user_id_created_at_id"
    ON "notifications" ("user_id", "created_at", "id");
CREATE INDEX "notifications_user_id_read_at"
    ON "notifications" ("user_id", "read_at");
