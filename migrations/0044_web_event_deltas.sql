-- Counts of web events for each write key. The transaction that stores events adds differences, which are folded into
-- web_event_count: concurrent transactions would wait for each other at a row of totals.
-- Events of API keys have no write key: their key is the nil UUID.
alter table web_event_count add column key_id uuid not null default '00000000-0000-0000-0000-000000000000';
alter table web_event_count alter column key_id drop default;
alter table web_event_count drop constraint web_event_count_pkey;
alter table web_event_count add primary key (org_id, mode, hour, key_id, outcome);
revoke insert, update, delete on web_event_count from crosswalk_app;
-- Old hours are deleted in slices.
create index web_event_count_by_time on web_event_count using brin (hour);

create table web_event_delta (
  org_id uuid not null,
  delta_id bigint generated always as identity,
  mode text collate "C" not null,
  hour timestamptz not null,
  key_id uuid not null,
  -- accepted, duplicate, the reason why events were dropped, or the code with which requests were refused.
  outcome text collate "C" not null,
  n bigint not null,
  primary key (org_id, delta_id)
);
-- A row lives for half a second. By default, autovacuum would wait until a fifth of the table is dead.
alter table web_event_delta set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
call app.protect('web_event_delta');

-- For each key and reason, the last event or request that was not stored. It has no ids, properties or addresses.
create table web_event_sample (
  org_id uuid not null,
  mode text collate "C" not null,
  key_id uuid not null,
  reason text collate "C" not null,
  at timestamptz not null,
  type text,
  name text,
  library text,
  origin text,
  primary key (org_id, mode, key_id, reason)
);
call app.protect('web_event_sample');
revoke insert, update, delete on web_event_sample from crosswalk_app;
