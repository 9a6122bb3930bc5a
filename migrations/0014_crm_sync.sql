-- CRM sync: connections, jobs, and which CRM record belongs to which contact.
create table crm_connection (
  org_id uuid not null,
  connection_id uuid not null,
  provider text collate "C" not null check (provider in ('sandbox', 'salesforce', 'hubspot', 'espocrm')),
  name text not null,
  status text collate "C" not null default 'ok' check (status in ('ok', 'needs_attention')),
  -- {code, message}: why it needs attention.
  error json,
  -- Its name in `external_ids` of contacts: salesforce, or salesforce-2 for the second one.
  system text collate "C" not null,
  -- Where it differs from the provider's default: our field, and its field in the CRM or null.
  field_map json not null,
  settings json not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (org_id, connection_id)
);
create unique index crm_connection_system on crm_connection (org_id, system);

create table crm_settings (
  org_id uuid primary key,
  threshold integer not null check (threshold >= 0),
  updated_at timestamptz not null
);

create table crm_job (
  org_id uuid not null,
  job_id uuid not null,
  kind text collate "C" not null check (kind in ('leads_push', 'contacts_push')),
  status text collate "C" not null check (status in (
    'queued', 'running', 'succeeded', 'partially_succeeded', 'failed', 'refused', 'canceled')),
  connection_id uuid not null,
  mode text collate "C" not null check (mode in ('live', 'test')),
  -- Which contacts are pushed: {contact_ids}, {filter}, {retry_of}, or {} for all.
  selection json not null,
  large_population_confirmed boolean not null,
  population integer,
  threshold integer not null,
  processed integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  refusal json,
  -- {code, message}: why it failed or waits.
  error json,
  cancel_requested boolean not null default false,
  -- How many tries in a row did not reach the CRM.
  tries integer not null default 0,
  api_key_id uuid,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- Every contact up to this id has an outcome.
  pushed_to uuid,
  primary key (org_id, job_id)
);
create index crm_job_by_connection on crm_job (org_id, connection_id, job_id);

-- The contacts of a job, fixed when it begins. Each row is updated once. Free space on the page, and no index of a changing
-- column, let PostgreSQL update it without touching an index.
create table crm_job_item (
  org_id uuid not null,
  job_id uuid not null,
  contact_id uuid not null,
  outcome text collate "C" check (outcome in ('created', 'updated', 'unchanged', 'skipped', 'failed')),
  external_id text,
  -- {code, message}; JSON null: erasing the contact removed it.
  error json,
  primary key (org_id, job_id, contact_id)
) with (fillfactor = 40);
-- Failed and skipped contacts have an error.
create index crm_job_item_with_error on crm_job_item (org_id, job_id, contact_id) where error is not null;
create index crm_job_item_said on crm_job_item (org_id, contact_id) where error is not null;

-- External links. An absorbed contact keeps its row, so that it has its link again after an undo.
create table crm_link (
  org_id uuid not null,
  connection_id uuid not null,
  mode text collate "C" not null check (mode in ('live', 'test')),
  kind text collate "C" not null check (kind in ('lead', 'contact')),
  -- The CRM record has this id too.
  contact_id uuid not null,
  -- null: the CRM record is being created, or its creation failed.
  external_id text,
  -- The last push.
  pushed_hash text collate "C",
  pushed_at timestamptz,
  primary key (org_id, connection_id, mode, kind, contact_id)
) with (fillfactor = 30);

-- Records in the sandbox.
create table crm_sandbox_record (
  org_id uuid not null,
  connection_id uuid not null,
  mode text collate "C" not null check (mode in ('live', 'test')),
  kind text collate "C" not null check (kind in ('lead', 'contact')),
  record_key uuid not null,
  external_id uuid not null,
  values json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, connection_id, mode, kind, record_key)
);
create index crm_sandbox_record_list on crm_sandbox_record (org_id, connection_id, external_id);

call app.protect('crm_connection');
call app.protect('crm_settings');
call app.protect('crm_job');
call app.protect('crm_job_item');
call app.protect('crm_link');
call app.protect('crm_sandbox_record');
revoke delete on crm_connection from crosswalk_app;
revoke delete on crm_job from crosswalk_app;
