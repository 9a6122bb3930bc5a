-- E-mail signatures: templates, mailboxes, and what is installed in each mailbox.
create table signature_template (
  org_id uuid not null,
  template_id uuid not null,
  name text not null,
  -- html and text are Liquid; a null text is derived from the HTML.
  html text not null,
  text text,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, template_id)
);

create table signature_mailbox (
  org_id uuid not null,
  -- Unique in the installation, so the id of another org's mailbox is not found here.
  mailbox_id bigint not null generated always as identity,
  email text not null,
  -- The address in lower case.
  email_key text collate "C" not null,
  display_name text,
  provider text collate "C" not null check (provider in ('sandbox', 'gmail', 'manual')),
  template_id uuid,
  persona_id uuid,
  fields json not null,
  -- The version that the next push installs: a change of the mailbox or of its template increments it.
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (org_id, mailbox_id),
  unique (org_id, email_key),
  foreign key (org_id, template_id) references signature_template (org_id, template_id)
);
create index signature_mailbox_by_template on signature_mailbox (org_id, template_id, mailbox_id);

-- A rollout pushes a template to all its mailboxes.
create table signature_rollout (
  org_id uuid not null,
  rollout_id uuid not null,
  template_id uuid not null,
  -- The version of the template.
  version integer not null,
  mode text collate "C" not null check (mode in ('live', 'test')),
  api_key_id uuid,
  created_at timestamptz not null,
  primary key (org_id, rollout_id)
);
create index signature_rollout_by_template on signature_rollout (org_id, template_id, rollout_id);

-- The state of a mailbox's signature; no row: never pushed.
create table signature_deployment (
  org_id uuid not null,
  mailbox_id bigint not null,
  mode text collate "C" not null check (mode in ('live', 'test')),
  status text collate "C" not null
    check (status in ('queued', 'compiling', 'installing', 'installed', 'failed', 'manual_pending')),
  -- Pushes are numbered from 1: the last one that was requested, the last one that was claimed, and the last that ended.
  asked integer not null,
  taken integer not null default 0,
  done integer not null default 0,
  -- Only rollouts requested these pushes: single pushes come first.
  in_bulk boolean not null,
  tries integer not null default 0,
  -- When the next try starts. During a try: when the try is taken for dead.
  try_at timestamptz not null,
  -- The installed signature's revision and hash.
  revision integer,
  html_sha256 text collate "C",
  installed_at timestamptz,
  -- {code, message}: why the last push failed or waits.
  error json,
  primary key (org_id, mailbox_id, mode),
  check (done <= taken and taken <= asked)
);
create index signature_deployment_due on signature_deployment (org_id, mode, in_bulk, try_at) where asked > done;

create table signature_push (
  org_id uuid not null,
  push_id uuid not null,
  mailbox_id bigint not null,
  mode text collate "C" not null check (mode in ('live', 'test')),
  -- The mailbox's version when the push was requested.
  version integer not null,
  -- Its number in signature_deployment.
  number integer not null,
  rollout_id uuid,
  -- How it ended; null: it has not ended, and its status is that of the deployment.
  outcome text collate "C" check (outcome in ('installed', 'failed', 'manual_pending')),
  revision integer,
  -- {code, message}: why it failed.
  error json,
  api_key_id uuid,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (org_id, push_id),
  check ((outcome is null) = (finished_at is null))
);
create index signature_push_open on signature_push (org_id, mailbox_id, mode, number) where outcome is null;
create index signature_push_by_mailbox on signature_push (org_id, mailbox_id, push_id);
create index signature_push_by_rollout on signature_push (org_id, rollout_id, push_id) where rollout_id is not null;

-- Signatures that the sandbox has installed.
create table sandbox_signature (
  org_id uuid not null,
  mode text collate "C" not null check (mode in ('live', 'test')),
  mailbox_id bigint not null,
  html text not null,
  text text not null,
  revision integer not null,
  installed_at timestamptz not null,
  primary key (org_id, mode, mailbox_id)
);

-- Signatures that a person installs by hand.
create table signature_offer (
  org_id uuid not null,
  mailbox_id bigint not null,
  offer_id uuid not null,
  html text not null,
  text text not null,
  html_sha256 text collate "C" not null,
  revision integer not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (org_id, mailbox_id)
);
create unique index signature_offer_by_id on signature_offer (org_id, offer_id);

call app.protect('signature_template');
call app.protect('signature_mailbox');
call app.protect('signature_rollout');
call app.protect('signature_deployment');
call app.protect('signature_push');
call app.protect('sandbox_signature');
call app.protect('signature_offer');
revoke delete on signature_rollout from crosswalk_app;
revoke delete on signature_push from crosswalk_app;
