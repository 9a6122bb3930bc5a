-- Events of web pages. Each UTC day is a partition, which is made days ahead and dropped when it is old.
create table web_event (
  org_id uuid not null,
  -- The day that the client wrote, which a retry repeats: see src/tracking/wire/clock.ts.
  day date not null,
  -- 128 bits of the SHA-256 of the client's messageId.
  message_key uuid not null,
  mode text collate "C" not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  is_late boolean not null,
  visitor_id uuid,
  user_key text,
  session_id text,
  type text collate "C" not null,
  name text,
  url_path text,
  referrer_host text,
  trust smallint not null,
  properties jsonb not null,
  context jsonb not null,
  primary key (org_id, day, message_key)
) partition by range (day);
create index web_event_by_visitor on web_event (org_id, visitor_id, occurred_at desc);
call app.protect('web_event');
revoke update on web_event from crosswalk_app, crosswalk_system;

-- How many events each organization sent in an hour: accepted, duplicate, or the reason why they were dropped.
create table web_event_count (
  org_id uuid not null,
  mode text collate "C" not null,
  hour timestamptz not null,
  outcome text collate "C" not null,
  n bigint not null,
  primary key (org_id, mode, hour, outcome)
);
call app.protect('web_event_count');

-- Nobody but the owner may use a partition itself. Through web_event, its row-level security applies.
create schema web_event_day;

-- Makes the partitions of 8 days back to 8 days ahead. The new table is empty, so that attaching it takes no lock that
-- blocks writes.
create function app.make_web_event_days() returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  today date := (now() at time zone 'UTC')::date;
  made integer := 0;
  first_day date;
  partition_name text;
begin
  perform pg_advisory_xact_lock(hashtextextended('web event days', 0));
  for offset_days in -8..8 loop
    first_day := today + offset_days;
    partition_name := to_char(first_day, '"d"YYYY_MM_DD');
    if to_regclass(format('web_event_day.%I', partition_name)) is null then
      execute format('create table web_event_day.%I (like public.web_event including all)', partition_name);
      execute format('alter table public.web_event attach partition web_event_day.%I for values from (%L) to (%L)',
        partition_name, first_day, first_day + 1);
      made := made + 1;
    end if;
  end loop;
  return made;
end $$;

-- Drops the partitions of days before `first_kept`, and returns how many there were.
create function app.drop_web_event_days(first_kept date) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  dropped integer := 0;
  partition_name text;
begin
  for partition_name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.web_event'::regclass and c.relname < to_char(first_kept, '"d"YYYY_MM_DD')
    order by 1
  loop
    execute format('drop table web_event_day.%I', partition_name);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

revoke execute on function app.make_web_event_days(), app.drop_web_event_days(date) from public;
-- A node without a worker may be the first one that writes on a new day.
grant execute on function app.make_web_event_days() to crosswalk_app, crosswalk_system;
grant execute on function app.drop_web_event_days(date) to crosswalk_system;
select app.make_web_event_days();
