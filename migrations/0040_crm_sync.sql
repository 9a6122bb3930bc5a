create table crm_connection (
  org_id uuid not null,
  connection_id uuid not null,
  provider text collate "C" not null check (provider in ('sandbox', 'salesforce', 'hubspot', 'espocrm')),
  name text not null,
  status text collate "C" not null default 'ok' check (status in ('ok', 'needs_attention')),
  -- Why it needs attention.
  status_reason text,
  -- What `external_ids` of contacts call it: salesforce, or salesforce-2 for the second one.
  system text collate "C" not null,
  -- Our fields, each with theirs, or null: what differs from what a CRM of this kind usually has.
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
  -- Who is pushed: {contact_ids}, {filter}, {retry_of}, or {} for everybody.
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
  -- Why it failed, or why it waits.
  error text,
  cancel_requested boolean not null default false,
  -- How often in a row the CRM was not to be had.
  tries integer not null default 0,
  api_key_id uuid,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (org_id, job_id)
);
create index crm_job_by_connection on crm_job (org_id, connection_id, job_id);

-- The people of a job, as they were when it began.
create table crm_job_item (
  org_id uuid not null,
  job_id uuid not null,
  contact_id uuid not null,
  outcome text collate "C" check (outcome in ('created', 'updated', 'unchanged', 'skipped', 'failed')),
  external_id text,
  error text,
  primary key (org_id, job_id, contact_id)
);
create index crm_job_item_open on crm_job_item (org_id, job_id, contact_id) where outcome is null;
create index crm_job_item_by_outcome on crm_job_item (org_id, job_id, outcome, contact_id) where outcome is not null;

create index crm_job_item_said on crm_job_item (org_id, contact_id) where error is not null;

-- Who is whom there. A contact that was merged keeps its row, and has it again when the merge is undone.
create table crm_link (
  org_id uuid not null,
  connection_id uuid not null,
  mode text collate "C" not null check (mode in ('live', 'test')),
  kind text collate "C" not null check (kind in ('lead', 'contact')),
  -- Also the key by which the CRM knows the person.
  contact_id uuid not null,
  -- null: it is being created, or that was tried.
  external_id text,
  -- Of what was pushed last.
  pushed_hash text collate "C",
  pushed_at timestamptz,
  primary key (org_id, connection_id, mode, kind, contact_id)
);

-- What the sandbox holds.
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
