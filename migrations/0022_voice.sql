-- Numbers that an org's calls may show as theirs.
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

-- An org without a row has what a row has by itself.
create table voice_settings (
  org_id uuid primary key,
  provider text collate "C" not null default 'simulator'
    check (provider in ('simulator', 'livekit', 'vapi', 'twilio')),
  allow_premium boolean not null default false,
  concurrent_call_cap integer not null default 10 check (concurrent_call_cap between 1 and 1000),
  -- HH:MM, where the callee is; past midnight where the end is before the start.
  calling_hours_start text collate "C",
  calling_hours_end text collate "C",
  version integer not null default 1,
  updated_at timestamptz,
  check ((calling_hours_start is null) = (calling_hours_end is null)),
  check (calling_hours_start <> calling_hours_end)
);

-- Whether an org may call, which is not for its keys to say.
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
