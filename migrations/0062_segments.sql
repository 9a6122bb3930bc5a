-- Saved filters of records.
create table segment (
  org_id uuid not null,
  segment_id uuid not null,
  entity text collate "C" not null check (entity in ('contact', 'company', 'deal')),
  name text not null,
  -- Not jsonb, which would change the order of the members. null: no condition.
  filter json,
  q text,
  sort text,
  -- The types of the defined fields that the filter names, when it was written: {"tier": "select"}.
  field_types json not null default '{}',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The last count; null: not counted since the filter changed, or counting takes too long.
  count bigint,
  counted_at timestamptz,
  -- How long the count took.
  count_ms integer,
  -- The events that are visible to this snapshot (app.event_snapshot) happened before the count.
  counted_after text,
  -- When a count was requested that has not ended.
  count_asked_at timestamptz,
  primary key (org_id, segment_id)
);
call app.protect('segment');
