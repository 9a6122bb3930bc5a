-- Merges, verdicts, and how duplicates are found.

-- Numbers merges, and writes to merged records, in one order. They take the number after their locks.
create sequence write_seq;
grant usage on sequence write_seq to crosswalk_app, crosswalk_system;

-- Merges that are applied, undone or only proposed (shadow).
create table merge (
  org_id uuid not null,
  merge_id uuid not null,
  merge_group_id uuid not null,
  entity text collate "C" not null check (entity in ('contact', 'company', 'deal')),
  status text collate "C" not null check (status in ('applied', 'undone', 'shadow', 'dismissed', 'stale')),
  -- Both were canonical when they were merged.
  survivor_id uuid not null,
  loser_id uuid not null,
  -- From write_seq; null for a proposal.
  seq bigint,
  -- Merge rules of this merge, where they differ from those of the record type.
  policies json,
  rule text collate "C",
  score double precision,
  evidence json not null default '[]',
  model_version text collate "C",
  would_apply boolean,
  method text collate "C" not null check (method in ('auto', 'manual', 'api', 'import')),
  fields_filled text[] not null default '{}',
  children_moved integer not null default 0,
  created_at timestamptz not null default now(),
  merged_at timestamptz,
  merged_by uuid,
  undone_at timestamptz,
  undone_by uuid,
  primary key (org_id, merge_id),
  check (loser_id <> survivor_id),
  check ((seq is not null) = (status in ('applied', 'undone')))
);
create unique index merge_in_force on merge (org_id, entity, loser_id) where status = 'applied';
create unique index merge_shadow on merge
  (org_id, entity, least(loser_id, survivor_id), greatest(loser_id, survivor_id)) where status = 'shadow';
create index merge_done on merge (org_id, entity, merge_id) where status in ('applied', 'undone');
create index merge_listed on merge (org_id, merge_id) where status in ('applied', 'undone', 'shadow');
create index merge_of_survivor on merge (org_id, entity, survivor_id, status);
create index merge_of_loser on merge (org_id, entity, loser_id, status);

-- A person's decision about a pair. It has the ids that were named, so that merges of either record do not change it.
create table verdict (
  org_id uuid not null,
  entity text collate "C" not null check (entity in ('contact', 'company', 'deal')),
  first_id uuid not null,
  second_id uuid not null,
  verdict text collate "C" not null check (verdict in ('same', 'different')),
  decided_at timestamptz not null default now(),
  decided_by uuid,
  primary key (org_id, entity, first_id, second_id),
  check (first_id < second_id)
);
create index verdict_of_second on verdict (org_id, entity, second_id);

-- References that a merge or an undo has not moved yet: a job moves them to the canonical record.
create table child_move (
  org_id uuid not null,
  merge_id uuid not null,
  entity text collate "C" not null check (entity in ('contact', 'company')),
  from_id uuid not null,
  -- The ids that these references were written with.
  raw_ids uuid[] not null,
  primary key (org_id, merge_id)
);
create index child_move_from on child_move (org_id, entity, from_id);

-- An org without a row has the default settings.
create table duplicate_settings (
  org_id uuid not null,
  entity text collate "C" not null check (entity in ('contact', 'company', 'deal')),
  settings jsonb not null,
  primary key (org_id, entity)
);

-- Match keys of active records: 64-bit hashes under which possible duplicates are found. Hashes of e-mail addresses, phone
-- numbers, domains and external ids are in contact_key, company_key and deal_key.
create table match_key (
  org_id uuid not null,
  entity smallint not null,
  kind smallint not null,
  hash bigint not null,
  record_id uuid not null,
  primary key (org_id, entity, kind, hash, record_id)
);

-- Orgs whose match keys are missing or of an older version. Their next scan writes them.
create table match_key_backlog (
  org_id uuid not null,
  entity text collate "C" not null check (entity in ('contact', 'company', 'deal')),
  -- The version of the match keys that the org lacks. During a rollout, a node of the older version must not take these for
  -- written.
  version integer not null default 1,
  primary key (org_id, entity)
);

-- Records that wait for a check, or all records that an import created. Each change has its own row, so that writers do not
-- wait for one another.
create table duplicate_check (
  org_id uuid not null,
  check_id bigint generated always as identity,
  entity smallint not null,
  record_id uuid,
  import_id uuid,
  tries smallint not null default 0,
  due_at timestamptz,
  primary key (org_id, check_id),
  check ((record_id is null) <> (import_id is null))
);
-- A row lives for a second. By default, autovacuum would wait until a fifth of the table is dead.
alter table duplicate_check set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create table duplicate_scan (
  org_id uuid not null,
  scan_id uuid not null,
  entity text collate "C" not null check (entity in ('contact', 'company', 'deal')),
  mode text collate "C" not null check (mode in ('live', 'test')),
  status text collate "C" not null check (status in ('queued', 'running', 'succeeded', 'failed')),
  progress double precision not null default 0 check (progress between 0 and 1),
  records_read integer not null default 0,
  pairs_compared bigint not null default 0,
  proposals_opened integer not null default 0,
  merges_applied integer not null default 0,
  -- {code, message}: why it failed.
  error json,
  api_key_id uuid,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (org_id, scan_id)
);
create unique index duplicate_scan_queued on duplicate_scan (org_id, entity) where status = 'queued';
create index duplicate_scan_under_way on duplicate_scan (status) where status in ('queued', 'running');

call app.protect('merge');
call app.protect('verdict');
call app.protect('child_move');
call app.protect('duplicate_settings');
call app.protect('match_key');
call app.protect('match_key_backlog');
call app.protect('duplicate_check');
call app.protect('duplicate_scan');
revoke delete on merge from crosswalk_app;
