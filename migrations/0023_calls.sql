-- Effects that no transaction can hold, such as a phone call: their key is claimed in one transaction, before, and their
-- answer kept in another, after. In between `unfinished` is the object that the effect makes.
alter table idempotency_key add column unfinished uuid;
-- Until when whoever claimed the key may still be at it.
alter table idempotency_key add column busy_until timestamptz;
alter table idempotency_key add check ((unfinished is null) = (busy_until is null));

create table call (
  org_id uuid not null,
  call_id uuid not null,
  mode text collate "C" not null check (mode in ('live', 'test')),
  -- dispatching: being dialled. unknown: dialled, and nobody has said what came of it.
  status text collate "C" not null check (status in (
    'dispatching', 'unknown', 'queued', 'ringing', 'in_progress', 'completed', 'busy', 'no_answer', 'failed', 'canceled')),
  provider text collate "C" not null check (provider in ('simulator', 'livekit', 'vapi', 'twilio')),
  provider_call_id text collate "C",
  -- E.164.
  to_number text collate "C" not null,
  from_number text collate "C" not null,
  persona_id uuid,
  instructions text,
  variables json not null,
  metadata json not null,
  -- What the provider answered, as it answered it.
  dispatch json,
  -- {code, message}: why it failed.
  error json,
  duration_seconds integer,
  api_key_id uuid,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- Counts against the cap until then; null: not any more.
  slot_until timestamptz,
  -- When the provider is asked next how the call goes; null: not any more.
  check_at timestamptz,
  checks integer not null default 0,
  primary key (org_id, call_id)
);
create index call_slot on call (org_id, mode, slot_until) where slot_until is not null;
create index call_due on call (check_at) where check_at is not null;
create index call_by_status on call (org_id, status, call_id);
create index call_by_number on call (org_id, to_number, call_id);
call app.protect('call');
revoke delete on call from crosswalk_app;

-- Calls that have ended, by the month (UTC) in which they were placed.
create table call_usage (
  org_id uuid not null,
  month text collate "C" not null,
  mode text collate "C" not null check (mode in ('live', 'test')),
  calls bigint not null,
  answered bigint not null,
  seconds bigint not null,
  -- Each call's by itself, rounded up.
  minutes bigint not null,
  primary key (org_id, month, mode)
);
call app.protect('call_usage');
revoke delete on call_usage from crosswalk_app;

-- What the simulator knows of its calls: how each goes follows from its number and when it was dialled.
create table simulated_call (
  org_id uuid not null,
  simulated_call_id uuid not null,
  call_id uuid not null,
  to_number text collate "C" not null,
  max_seconds integer not null,
  dialled_at timestamptz not null,
  canceled_at timestamptz,
  -- How many of its callbacks were sent.
  told integer not null default 0,
  -- When the next one is, or when it is forgotten.
  due_at timestamptz not null,
  primary key (org_id, simulated_call_id)
);
create index simulated_call_due on simulated_call (due_at);
create index simulated_call_by_call on simulated_call (org_id, call_id);
call app.protect('simulated_call');
