-- The retention of the event log (EVENT_RETENTION_DAYS): a month that is too old is closed, exported, and dropped.

-- Events before this id may have been dropped.
create table app.event_log (
  only_one boolean primary key default true check (only_one),
  kept_from uuid not null
);
insert into app.event_log (kept_from) values ('00000000-0000-0000-0000-000000000000');
grant select on app.event_log to crosswalk_app, crosswalk_system;

-- A month that was closed. An event that commits later counts as late: a transaction may begin before the month's end and
-- commit long after it, and clocks may be wrong. The export must then run again.
create table app.event_month (
  name text collate "C" primary key,
  late bigint not null default 0,
  -- The process that exports the month, until this time.
  claimed_until timestamptz,
  -- The value of `late` when the export began; null: there is no export.
  exported_late bigint,
  -- The full name of the file; null: the month is dropped without an export.
  file text,
  sha256 text,
  rows bigint,
  -- How many events each organization has in the month: {"<org_id>": <number>}.
  counts jsonb
);
grant select, insert, update on app.event_month to crosswalk_system;

-- The partitions with the ids of their events.
create function app.event_months() returns table (name text, first_id uuid, until_id uuid)
  language sql stable security definer set search_path = public, pg_temp as $$
  select c.relname, coalesce(substring(bound from 'FROM \(''([0-9a-f-]{36})'), '00000000-0000-0000-0000-000000000000')::uuid,
    substring(bound from 'TO \(''([0-9a-f-]{36})')::uuid
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) as b
  where i.inhparent = 'public.event'::regclass order by 3
$$;

create function app.note_late_event() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update app.event_month set late = late + 1 where name = tg_table_name;
  return null;
end $$;

-- Counts the events that are written to a month from now on. Waits for the transactions that have written to it.
create function app.close_event_month(month text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from app.event_months() as m where m.name = month;
  if not found then raise 'the event log has no month %', month; end if;
  if not exists (select from pg_trigger t where t.tgrelid = format('event_month.%I', month)::regclass and t.tgname = 'note_late') then
    execute format('create trigger note_late after insert on event_month.%I for each row execute function app.note_late_event()', month);
  end if;
  insert into app.event_month (name) values (month) on conflict do nothing;
end $$;

-- Drops a month whose export has all of its events. Returns false if there is no such export.
create function app.drop_event_month(month text) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  until_id uuid := (select m.until_id from app.event_months() as m where m.name = month);
begin
  if until_id is null then return false; end if;
  -- Before the lock, because an organization may have many events. If there is a late event, nothing of this commits.
  insert into record_delta (org_id, entity, delta)
  select c.key::uuid, 'event', -c.value::bigint from app.event_month m, jsonb_each_text(m.counts) as c
  where m.name = month and exists (select from org o where o.org_id = c.key::uuid);
  lock table only event in access exclusive mode;
  execute format('lock table event_month.%I in access exclusive mode', month);
  perform from app.event_month m where m.name = month and m.exported_late = m.late;
  if not found then raise 'the export of the month % lacks late events', month; end if;
  execute format('drop table event_month.%I', month);
  delete from app.event_month m where m.name = month;
  update app.event_log set kept_from = greatest(kept_from, until_id);
  return true;
end $$;

revoke execute on function app.event_months(), app.note_late_event(), app.close_event_month(text), app.drop_event_month(text) from public;
grant execute on function app.event_months(), app.close_event_month(text), app.drop_event_month(text) to crosswalk_system;
