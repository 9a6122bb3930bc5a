-- Phone calls: who may call which numbers and when, and the calls.

-- The caller ids of an org.
create table voice_number (
  org_id uuid not null,
  number_id uuid not null,
  -- E.164.
  number text collate "C" not null,
  label text,
  provider_ref text,
  created_at timestamptz not null default now(),
  primary key (org_id, number_id),
  unique (org_id, number)
);

-- An org without a row has the default of each column.
create table voice_settings (
  org_id uuid primary key,
  provider text collate "C" not null default 'simulator'
    check (provider in ('simulator', 'livekit', 'vapi', 'twilio')),
  allow_premium boolean not null default false,
  concurrent_call_cap integer not null default 10 check (concurrent_call_cap between 1 and 1000),
  -- HH:MM in the callee's time zone. An end before the start is on the next day.
  calling_hours_start text collate "C",
  calling_hours_end text collate "C",
  version integer not null default 1,
  updated_at timestamptz,
  -- Whether a call begins with a sentence that says an AI is calling, and the org's text for it; null: the default text.
  ai_disclosure boolean not null default true,
  ai_disclosure_text text,
  check ((calling_hours_start is null) = (calling_hours_end is null)),
  check (calling_hours_start <> calling_hours_end)
);

-- Whether an org may call. Operators write this, API keys do not.
create table voice_subscription (
  org_id uuid primary key,
  status text collate "C" not null default 'active' check (status in ('active', 'past_due', 'canceled')),
  -- null: no limit.
  included_minutes integer check (included_minutes >= 0),
  updated_at timestamptz not null default now()
);

call app.protect('voice_number');
call app.protect('voice_settings');
call app.protect('voice_subscription');
revoke delete on voice_settings from crosswalk_app;
revoke insert, update, delete on voice_subscription from crosswalk_app;

-- Numbers of contacts that denied consent to phone calls. Triggers write them, because contacts are written in many ways:
-- create, import, merge, undo, restore. Archived contacts count: an archived denial is still a denial.
create table denied_number (
  org_id uuid not null,
  -- E.164.
  number text collate "C" not null,
  contact_id uuid not null,
  primary key (org_id, number, contact_id)
);
call app.protect('denied_number');

create function app.keep_denied_numbers() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from denied_number
    where org_id = old.org_id and number = any(old.phones) and contact_id = old.contact_id;
  end if;
  if new.consent_phone = 'denied' and new.status in ('active', 'archived') then
    insert into denied_number (org_id, number, contact_id)
    select distinct new.org_id, number, new.contact_id from unnest(new.phones) as number;
  end if;
  return null;
end $$;

create trigger denied_inserted after insert on contact
  for each row when (new.consent_phone = 'denied') execute function app.keep_denied_numbers();
create trigger denied_updated after update on contact
  for each row when (
    (old.consent_phone = 'denied' or new.consent_phone = 'denied')
    and (old.status, old.consent_phone, old.phones) is distinct from (new.status, new.consent_phone, new.phones)
  ) execute function app.keep_denied_numbers();

-- The suppression list: numbers that the org never calls.
create table voice_suppression (
  org_id uuid not null,
  suppression_id uuid not null,
  -- E.164.
  number text collate "C" not null,
  reason text,
  source text,
  since timestamptz not null,
  created_at timestamptz not null,
  primary key (org_id, suppression_id),
  unique (org_id, number)
);
call app.protect('voice_suppression');
revoke update on voice_suppression from crosswalk_app;

-- Counted as calls are, and they can be deleted.
create trigger count_appended after insert on voice_suppression
  referencing new table as inserted for each statement execute function app.count_appended();
create trigger count_removed after delete on voice_suppression
  referencing old table as deleted for each statement execute function app.count_removed();

create table call (
  org_id uuid not null,
  call_id uuid not null,
  mode text collate "C" not null check (mode in ('live', 'test')),
  -- dispatching: being dialed. unknown: dialed, and the result is not known.
  status text collate "C" not null check (status in (
    'dispatching', 'unknown', 'queued', 'ringing', 'in_progress', 'completed', 'busy', 'no_answer', 'failed', 'canceled')),
  provider text collate "C" not null check (provider in ('simulator', 'livekit', 'vapi', 'twilio')),
  provider_call_id text collate "C",
  -- E.164. Erasing a contact clears it; a call in progress has its number until it ends, because its provider needs it.
  to_number text collate "C",
  from_number text collate "C" not null,
  persona_id uuid,
  instructions text,
  variables json not null,
  metadata json not null,
  -- The provider's answer, unchanged.
  dispatch json,
  -- {code, message}: why it failed.
  error json,
  duration_seconds integer,
  api_key_id uuid,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- The call counts against the cap until then; null: it no longer counts.
  slot_until timestamptz,
  -- When the provider is polled next; null: never again.
  check_at timestamptz,
  checks integer not null default 0,
  erased boolean not null default false,
  primary key (org_id, call_id)
);
create index call_slot on call (org_id, mode, slot_until) where slot_until is not null;
create index call_due on call (check_at) where check_at is not null;
create index call_by_status on call (org_id, status, call_id);
create index call_by_number on call (org_id, to_number, call_id);
call app.protect('call');
revoke delete on call from crosswalk_app;
-- Counted as in 0003_totals.sql: calls are never deleted.
create trigger count_appended after insert on call
  referencing new table as inserted for each statement execute function app.count_appended();

-- Usage of ended calls, by the month (UTC) in which they were placed.
create table call_usage (
  org_id uuid not null,
  month text collate "C" not null,
  mode text collate "C" not null check (mode in ('live', 'test')),
  calls bigint not null,
  answered bigint not null,
  seconds bigint not null,
  -- Each call is rounded up to full minutes.
  minutes bigint not null,
  primary key (org_id, month, mode)
);
call app.protect('call_usage');
revoke delete on call_usage from crosswalk_app;

-- Calls of the simulator. The number and the time of dialing determine how a call goes.
create table simulated_call (
  org_id uuid not null,
  simulated_call_id uuid not null,
  call_id uuid not null,
  to_number text collate "C" not null,
  max_seconds integer not null,
  dialed_at timestamptz not null,
  canceled_at timestamptz,
  -- How many callbacks were sent.
  told integer not null default 0,
  -- When the next callback is sent, or the row is deleted.
  due_at timestamptz not null,
  primary key (org_id, simulated_call_id)
);
create index simulated_call_due on simulated_call (due_at);
create index simulated_call_by_call on simulated_call (org_id, call_id);
call app.protect('simulated_call');
