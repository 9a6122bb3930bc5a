-- The tool server: calls that may be sent twice, and effects that wait for a person.

-- The first of identical calls within a minute. Its time is part of their idempotency key.
create table tool_call (
  org_id uuid not null references org (org_id) on delete cascade,
  call_hash bytea not null,
  first_at timestamptz not null,
  primary key (org_id, call_hash)
);
create index tool_call_age on tool_call (first_at);
call app.protect('tool_call');

-- A call that runs only after a person confirmed it.
create table pending_effect (
  org_id uuid not null references org (org_id) on delete cascade,
  effect_id uuid not null,
  -- The API key or member through which the tool was called.
  api_key_id uuid,
  member_id uuid,
  mode text not null check (mode in ('live', 'test')),
  tool text not null,
  arguments_hash bytea not null,
  question text not null,
  facts jsonb not null,
  is_outside boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  decided_by uuid,
  is_approved boolean,
  ran_at timestamptz,
  primary key (org_id, effect_id),
  check ((decided_at is null) = (is_approved is null))
);
create index pending_effect_waiting on pending_effect (org_id, expires_at) where decided_at is null and is_outside;
call app.protect('pending_effect');
