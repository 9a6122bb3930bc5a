-- The event log has a partition for each UTC month of the time in `event_id`. The existing table becomes the first
-- partition. Only the catalog changes, so the lock is short. Requests of the old version find the new table by its name.

-- Only the owner may use a partition itself. Through `event`, the row-level security of `event` applies.
create schema event_month;

drop policy org on event;
drop policy system on event;
drop policy seen on event;
drop trigger count_appended on event;
revoke all on event from crosswalk_app, crosswalk_system;
alter table event set schema event_month;

create table event (like event_month.event including defaults including constraints) partition by range (event_id);
alter table event add primary key (org_id, event_id);
create index event_by_object on event (org_id, object_id, event_id);
create index event_by_type on event (org_id, type, event_id);
create index event_by_xact on event (org_id, xact, event_id);
create index event_by_time on event using brin (created_at);
create index event_by_actor on event (org_id, (case when api_key_id is null then member_id else api_key_id end), event_id);
create index event_without_key on event
  (org_id, (case when member_id is not null then 'member' when by_operator then 'operator' else 'system' end), event_id)
  where api_key_id is null;

do $$
declare
  bound text := (select substring(pg_get_constraintdef(oid) from '[0-9a-f]{8}-[0-9a-f-]{27}') from pg_constraint
    where conrelid = 'event_month.event'::regclass and conname = 'event_before_months');
begin
  execute format('alter table event attach partition event_month.event for values from (minvalue) to (%L)', bound);
  -- This is the existing table, which is locked already.
  execute format('alter table %I.event rename to before_months', 'event_month');
end $$;
alter table event drop constraint event_before_months;

call app.protect('event');
revoke update, delete on event from crosswalk_app;
create policy seen on event as restrictive for select to crosswalk_limited
  using (not (select app.is_limited()) or app.sees_event(event_id, (select app.seen_owners())));
create trigger count_appended after insert on event
  referencing new table as inserted for each statement execute function app.count_appended();
