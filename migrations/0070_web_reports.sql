-- Reports of web pages count the live events of people. The statement that stores events adds differences, and the statement
-- that erases events takes them back. They are folded into web_report: see docs/decisions/0004-totals.md.
create table web_report_delta (
  org_id uuid not null,
  delta_id bigint generated always as identity,
  -- count, page, referrer, source, campaign, event or form: see src/tracking/store/report-deltas.ts.
  dimension text collate "C" not null,
  hour timestamptz not null,
  key text collate "C" not null,
  n bigint not null,
  primary key (org_id, delta_id)
);
-- A row lives for half a second. By default, autovacuum would wait until a fifth of the table is dead.
alter table web_report_delta set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
call app.protect('web_report_delta');
call app.protect_by_list('web_report_delta');

-- The number of each key on a UTC day. An organization, dimension and day have at most 1,001 keys.
create table web_report (
  org_id uuid not null,
  dimension text collate "C" not null,
  day date not null,
  key text collate "C" not null,
  n bigint not null,
  -- The numbers of the 24 hours, whose sum is n.
  by_hour bigint[] not null,
  primary key (org_id, dimension, day, key)
);
-- Old days are deleted in slices.
create index web_report_by_time on web_report using brin (day);
call app.protect('web_report');
revoke insert, update, delete on web_report from crosswalk_app;

-- A visitor and session on a UTC day.
create table web_visit (
  org_id uuid not null,
  day date not null,
  visitor_id uuid not null,
  -- Empty: the client sends no session ids.
  session_id text collate "C" not null,
  -- A bit for each half hour in which an event happened. So the order of events does not matter, and most events change no row.
  half_hours bigint not null,
  primary key (org_id, day, visitor_id, session_id)
);
create index web_visit_by_time on web_visit using brin (day);
call app.protect('web_visit');
call app.protect_by_list('web_visit');
