-- Visitors of web pages. The statement that stores events also changes the rows of their visitors.
create table visitor (
  org_id uuid not null,
  visitor_id uuid not null,
  mode text collate "C" not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- The order of lists. Their indexes have no other column that changes with every event: most updates change no index.
  last_seen_minute timestamptz not null
    generated always as (date_bin('1 minute', last_seen_at, timestamptz '2000-01-01Z')) stored,
  -- The days under which events are stored, in order: a timeline reads these partitions alone.
  days date[] not null,
  last_day date not null,
  -- All events since the first, also those that are deleted since.
  events bigint not null,
  views bigint not null,
  -- The userId of the most trusted event that has one. Of equally trusted events, the last one counts.
  user_key text,
  user_trust smallint,
  user_at timestamptz,
  -- Where the first event, and the last event with a source, came from: see src/tracking/wire/source.ts.
  first_source jsonb,
  last_source jsonb,
  last_source_at timestamptz,
  primary key (org_id, visitor_id, mode)
) with (fillfactor = 80);
create index visitor_by_last_seen on visitor (org_id, mode, last_seen_minute desc, visitor_id desc);
create index visitor_by_user on visitor (org_id, mode, user_key, last_seen_minute desc, visitor_id desc)
  where user_key is not null;
create index visitor_by_last_day on visitor (last_day);
call app.protect('visitor');

alter table web_event add column source jsonb;
