-- Prepares the event log for partitions of months. The existing table becomes the first partition, without being
-- rewritten: it has the events before the start of the month after next. The check proves this when it is attached.
-- The old version of the server continues to write events meanwhile, so the bound is 1 to 2 months ahead.

-- The first UUIDv7 at a time, or after it.
create function app.first_id_at(at timestamptz) returns uuid language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

do $$
declare
  -- If the clock of a server was once wrong, there are later events. The index by time finds them.
  latest timestamptz := greatest(now(), (select max(created_at) from event where created_at > now()));
begin
  execute format('alter table event add constraint event_before_months check (event_id < %L) not valid',
    app.first_id_at((date_trunc('month', latest at time zone 'UTC') + interval '2 months') at time zone 'UTC'));
end $$;
