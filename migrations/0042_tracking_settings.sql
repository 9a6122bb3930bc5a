-- How an organization keeps its web events. An organization without a row has the defaults.
create table tracking_settings (
  org_id uuid primary key,
  -- The server drops whole days earlier if TRACKING_RETENTION_DAYS is less.
  retention_days integer not null default 180 check (retention_days between 1 and 1095),
  version integer not null default 1,
  updated_at timestamptz
);
call app.protect('tracking_settings');
revoke delete on tracking_settings from crosswalk_app;
