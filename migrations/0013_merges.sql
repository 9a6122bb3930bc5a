-- What writers said of a record, by the id that they named (records/clusters/facts.ts); null for one that was never
-- merged: it shows what was said. json, not jsonb: numbers and the order of members stay as they were written.
alter table contact add column facts json;
alter table company add column facts json;
alter table deal add column facts json;

-- Orders writes to records that were merged, and merges: drawn once their locks are held.
create sequence write_seq;
grant usage on sequence write_seq to crosswalk_app, crosswalk_system;

-- Merges: those in force, those that were undone, and those that were only thought of (shadow).
create table merge (
  org_id uuid not null,
  merge_id uuid not null,
  merge_group_id uuid not null,
  entity text collate "C" not null check (entity in ('contact', 'company', 'deal')),
  status text collate "C" not null check (status in ('applied', 'undone', 'shadow', 'dismissed', 'stale')),
  -- Both stood for themselves at the time.
  survivor_id uuid not null,
  loser_id uuid not null,
  -- Its place among the writes; null while it is a shadow.
  seq bigint,
  -- By unit of columns, where it is not the type's own.
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

-- What somebody said of two records; by the ids that were named, so that it outlives merges of either.
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

-- Children that still stand under the record that stood for theirs before a merge or its undoing; a job moves them.
create table child_move (
  org_id uuid not null,
  merge_id uuid not null,
  entity text collate "C" not null check (entity in ('contact', 'company')),
  from_id uuid not null,
  -- What they name.
  raw_ids uuid[] not null,
  primary key (org_id, merge_id)
);
create index child_move_from on child_move (org_id, entity, from_id);

-- How an org looks for duplicates; no row: as shipped.
create table duplicate_settings (
  org_id uuid not null,
  entity text collate "C" not null check (entity in ('contact', 'company', 'deal')),
  settings jsonb not null,
  primary key (org_id, entity)
);

call app.protect('merge');
call app.protect('verdict');
call app.protect('child_move');
call app.protect('duplicate_settings');
revoke delete on merge from crosswalk_app;

-- The contacts of a deal are a column of that deal, kept in rows: they never move to another.
alter table deal_contact drop constraint deal_contact_pkey;
alter table deal_contact drop column deal_raw_id;
alter table deal_contact add primary key (org_id, deal_id, contact_raw_id);
drop index deal_contact_by_deal;
