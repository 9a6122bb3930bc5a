-- A change of all records that a filter finds. A job changes them in the order of their ids.
create table bulk_change (
  org_id uuid not null,
  bulk_change_id uuid not null,
  entity text collate "C" not null check (entity in ('contact', 'company', 'deal')),
  status text collate "C" not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed')),
  -- {"tree": …, "q": …}, with the filter of the segment. This and the change may have personal data: null when the job has ended.
  selector json,
  change json,
  -- How many records matched when the change was requested.
  records bigint not null,
  changed bigint not null default 0,
  unchanged bigint not null default 0,
  refused bigint not null default 0,
  -- The first 100 refused records: [{"record_id": …, "code": …, "reason": …}].
  refusals json not null default '[]',
  -- Why the job failed: {"code": …, "message": …}.
  error json,
  -- The job changes records up to `last_id`, and those up to `changed_to` are done.
  last_id uuid not null,
  changed_to uuid,
  mode text collate "C" not null check (mode in ('live', 'test')),
  api_key_id uuid,
  member_id uuid,
  connected_app_id uuid,
  -- The limit of the member at the request.
  record_access text collate "C" check (record_access in ('team', 'own')),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (org_id, bulk_change_id)
);
call app.protect('bulk_change');
-- Refusals name records that another limited member does not see.
create policy seen on bulk_change as restrictive for select to crosswalk_limited
  using (not (select app.is_limited()) or member_id = (select app.limited_member()));
