-- Webhooks. An endpoint is a position in the event log, so an event that waits for delivery has no row here.
create table webhook_endpoint (
  org_id uuid not null,
  endpoint_id uuid not null,
  mode text collate "C" not null check (mode in ('live', 'test')),
  url text not null,
  description text not null,
  -- As the client sent them: *, contact.*, deal.closed
  types text[] not null,
  payload text collate "C" not null check (payload in ('full', 'thin')),
  include_clients boolean not null,
  max_per_second integer check (max_per_second between 1 and 500),
  max_in_flight integer not null check (max_in_flight between 1 and 32),
  headers json not null,
  -- The permissions of the API key that made it, so payloads show no more than that key could read; null: all.
  permissions text[],
  status text collate "C" not null default 'enabled' check (status in ('enabled', 'failing', 'disabled')),
  disabled_reason text collate "C" check (disabled_reason in ('by_request', 'gone', 'no_success')),
  -- Failures of the endpoint in a row, and events in a row that it refused.
  failures integer not null default 0,
  refusals integer not null default 0,
  first_failure_at timestamptz,
  last_failure_at timestamptz,
  last_success_at timestamptz,
  next_probe_at timestamptz,
  disabled_at timestamptz,
  old_secret_expires_at timestamptz,
  api_key_id uuid,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, endpoint_id)
);
call app.protect('webhook_endpoint');
create index webhook_endpoint_probe on webhook_endpoint (next_probe_at) where next_probe_at is not null;

-- How far an endpoint has read the log of its own organization, and with include_clients that of each client.
create table webhook_position (
  org_id uuid not null,
  endpoint_id uuid not null,
  source_org_id uuid not null,
  -- A Position of src/events/position.ts.
  position json not null,
  primary key (org_id, endpoint_id, source_org_id),
  foreign key (org_id, endpoint_id) references webhook_endpoint on delete cascade
);
call app.protect('webhook_position');
create index webhook_position_by_source on webhook_position (source_org_id);

-- Single events that wait: a retry, a resend that somebody asked for, or an event of a replay.
create table webhook_retry (
  org_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  source_org_id uuid not null,
  kind text collate "C" not null check (kind in ('retry', 'resend', 'replay')),
  tries integer not null,
  next_at timestamptz not null,
  primary key (org_id, endpoint_id, event_id),
  foreign key (org_id, endpoint_id) references webhook_endpoint on delete cascade
);
call app.protect('webhook_retry');
create index webhook_retry_due on webhook_retry (next_at);
create index webhook_retry_due_of_endpoint on webhook_retry (org_id, endpoint_id, next_at);

-- A request to send the events of a period again. It has a position of its own.
create table webhook_replay (
  org_id uuid not null,
  replay_id uuid not null,
  endpoint_id uuid not null,
  from_time timestamptz not null,
  to_time timestamptz not null,
  types text[],
  failed_only boolean not null,
  -- The last event that was sent again; null: none yet.
  last_event_id uuid,
  sent integer not null default 0,
  status text collate "C" not null default 'running' check (status in ('running', 'finished', 'canceled')),
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (org_id, replay_id),
  foreign key (org_id, endpoint_id) references webhook_endpoint on delete cascade
);
call app.protect('webhook_replay');
create index webhook_replay_running on webhook_replay (org_id, endpoint_id, replay_id) where status = 'running';

-- Attempts of the last 7 days. No payload is stored.
create table webhook_attempt (
  org_id uuid not null,
  attempt_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  source_org_id uuid not null,
  type text collate "C" not null,
  object_id uuid,
  number integer not null,
  outcome text collate "C" not null check (outcome in ('delivered', 'failed', 'exhausted')),
  status integer,
  duration_ms integer not null,
  error text,
  -- The beginning of an answer that was a failure; null once its object was erased.
  response_excerpt text,
  created_at timestamptz not null,
  primary key (org_id, attempt_id),
  foreign key (org_id, endpoint_id) references webhook_endpoint on delete cascade
);
call app.protect('webhook_attempt');
create index webhook_attempt_by_endpoint on webhook_attempt (org_id, endpoint_id, attempt_id);
create index webhook_attempt_by_event on webhook_attempt (org_id, endpoint_id, event_id);
create index webhook_attempt_excerpt on webhook_attempt (source_org_id, object_id) where response_excerpt is not null;

-- Sums of attempts by hour.
create table webhook_hour (
  org_id uuid not null,
  endpoint_id uuid not null,
  hour timestamptz not null,
  delivered integer not null,
  failed integer not null,
  duration_ms bigint not null,
  primary key (org_id, endpoint_id, hour),
  foreign key (org_id, endpoint_id) references webhook_endpoint on delete cascade
);
call app.protect('webhook_hour');
