-- Makes the months that begin within the next 4 months, after the latest partition. A new table is empty, so attaching it
-- takes no lock that blocks writes. There is no default partition: PostgreSQL would have to read it for each new month.
create function app.make_event_months() returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  made integer := 0;
  month timestamp;
  partition_name text;
begin
  perform pg_advisory_xact_lock(hashtextextended('event months', 0));
  loop
    -- The end of the latest partition is the start of the next one.
    select max(at) at time zone 'UTC' into month from (
      select to_timestamp(('x' || left(replace(substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([0-9a-f-]{36})'), '-', ''), 12))::bit(48)::bigint / 1000.0) as at
      from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'public.event'::regclass) as ends;
    exit when month at time zone 'UTC' > now() + interval '4 months';
    partition_name := to_char(month, '"m"YYYY_MM');
    execute format('create table event_month.%I (like public.event including all)', partition_name);
    execute format('alter table public.event attach partition event_month.%I for values from (%L) to (%L)', partition_name,
      app.first_id_at(month at time zone 'UTC'), app.first_id_at((month + interval '1 month') at time zone 'UTC'));
    made := made + 1;
  end loop;
  return made;
end $$;
revoke execute on function app.make_event_months() from public;
-- A process without background jobs may be the only one that runs.
grant execute on function app.make_event_months() to crosswalk_app, crosswalk_system;
select app.make_event_months();
