-- What brings records together that may be duplicates: 64-bit hashes of what they have in common (duplicates/match-keys.ts),
-- of active records only. E-mail addresses, phone numbers, domains and external ids have theirs in contact_key and its like.
create table match_key (
  org_id uuid not null,
  entity smallint not null,
  kind smallint not null,
  hash bigint not null,
  record_id uuid not null,
  primary key (org_id, entity, kind, hash, record_id)
);

-- Orgs whose records are older than their keys: the first scan writes them.
create table match_key_backlog (
  org_id uuid not null,
  entity text collate "C" not null check (entity in ('contact', 'company', 'deal')),
  primary key (org_id, entity)
);
insert into match_key_backlog (org_id, entity)
select org_id, entity from org cross join unnest(array['contact', 'company', 'deal']) as e (entity);

-- Records that changed since they were last looked at, or all that an import created; one row for each change, so that no
-- writer waits for another.
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
-- Its rows live for a second: without this the dead ones pile up to a fifth of all that ever were.
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
  error text,
  api_key_id uuid,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (org_id, scan_id)
);
create unique index duplicate_scan_queued on duplicate_scan (org_id, entity) where status = 'queued';
create index duplicate_scan_under_way on duplicate_scan (status) where status in ('queued', 'running');

call app.protect('match_key');
call app.protect('match_key_backlog');
call app.protect('duplicate_check');
call app.protect('duplicate_scan');
