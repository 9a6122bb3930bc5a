-- Personas: how an AI agent presents itself in calls and e-mails.
create table persona (
  org_id uuid not null,
  persona_id uuid not null,
  status text collate "C" not null default 'draft' check (status in ('draft', 'active', 'archived')),
  -- The status that restoring an archived persona brings back.
  status_before text collate "C" check (status_before in ('draft', 'active')),
  name text not null,
  role_title text,
  description text,
  instructions text,
  greeting text,
  provider_voice_id text,
  voice_language text collate "C",
  voice_speed double precision check (voice_speed between 0.25 and 4),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (org_id, persona_id),
  check ((status = 'archived') = (archived_at is not null)),
  check ((status = 'archived') = (status_before is not null))
);
create index persona_current on persona (org_id, persona_id) where status <> 'archived';
create index persona_by_status on persona (org_id, status, persona_id);
call app.protect('persona');
revoke delete on persona from crosswalk_app;
