-- How much each organization used in an hour. Requests are added by each process every few seconds. Events of past hours are
-- counted from the event log; calls are counted when they are read.
create table usage_hour (
  org_id uuid not null,
  mode text collate "C" not null check (mode in ('live', 'test')),
  -- The beginning of an hour in UTC.
  hour timestamptz not null,
  series text collate "C" not null check (series in ('requests', 'rate_limited', 'events')),
  n bigint not null,
  primary key (org_id, mode, hour, series)
);
call app.protect('usage_hour');
revoke insert, update, delete on usage_hour from crosswalk_app;
-- Old hours are deleted in slices.
create index usage_hour_by_time on usage_hour using brin (hour);
create index event_by_time on event using brin (created_at);

-- Events before `events_until` are counted in usage_hour, later ones are not.
create table app.usage_progress (
  only_one boolean primary key default true check (only_one),
  events_until timestamptz not null
);
insert into app.usage_progress (events_until)
select to_timestamp(floor(extract(epoch from greatest(coalesce(min(created_at), now()), now() - interval '401 days')) / 3600) * 3600)
from event;
grant select on app.usage_progress to crosswalk_app, crosswalk_system;
grant update on app.usage_progress to crosswalk_system;

-- The events of an actor. Most events have an API key, so the others have a small index of their own.
create index event_by_actor on event (org_id, (case when api_key_id is null then member_id else api_key_id end), event_id);
create index event_without_key on event
  (org_id, (case when member_id is not null then 'member' when by_operator then 'operator' else 'system' end), event_id)
  where api_key_id is null;
