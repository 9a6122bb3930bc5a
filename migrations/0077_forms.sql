-- Forms of web pages. A form belongs to one organization, and its id is public.
create table form (
  org_id uuid not null,
  form_id uuid not null,
  name text not null,
  status text collate "C" not null check (status in ('draft', 'live', 'archived')),
  -- What people see, and the fields of contacts: src/tracking/forms/schema.ts.
  definition json not null,
  -- https://example.com, https://*.example.com; none: any origin.
  origins text[] not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, form_id)
);
call app.protect('form');
-- The public pages know only the id.
create unique index form_by_id on form (form_id);
create trigger notify_auth after insert or update or delete on form for each row execute function app.notify_auth();

-- Every version of a form. A submission names the version that the person saw.
create table form_version (
  org_id uuid not null,
  form_id uuid not null,
  version integer not null,
  definition json not null,
  created_at timestamptz not null default now(),
  primary key (org_id, form_id, version)
);
call app.protect('form_version');

create table form_submission (
  org_id uuid not null,
  submission_id uuid not null,
  form_id uuid not null,
  form_version integer not null,
  mode text collate "C" not null check (mode in ('live', 'test')),
  status text collate "C" not null check (status in ('accepted', 'spam', 'reverted')),
  -- Why the server or a person took it for spam.
  spam_reason text collate "C",
  -- SHA-256 of the challenge and the answers, so that a retry is stored once.
  message_key uuid not null,
  -- The challenge of the page. A proof of work is valid for one submission of a challenge.
  challenge_id uuid,
  answers jsonb not null,
  -- Whether the person agreed to the consent text of the version; null: the version has none.
  consent boolean,
  -- The write key; null: the hosted page.
  write_key_id uuid,
  visitor_id uuid not null,
  page_url text,
  -- The visitor's own contact, as this submission wrote it.
  contact_id uuid,
  -- Whether this submission created that contact.
  created_contact boolean not null default false,
  -- The version of the contact that this submission made; null: it changed nothing.
  contact_version integer,
  -- A revert archives the contact afterwards, in a job.
  reverting boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (org_id, submission_id)
);
call app.protect('form_submission');
create unique index form_submission_by_message on form_submission (org_id, form_id, message_key);
create index form_submission_by_form on form_submission (org_id, form_id, submission_id);
create index form_submission_by_contact on form_submission (org_id, contact_id) where contact_id is not null;
create index form_submission_by_visitor on form_submission (org_id, visitor_id);
create index form_submission_by_challenge on form_submission (org_id, challenge_id) where challenge_id is not null;
create index form_submission_reverting on form_submission (org_id, submission_id) where reverting;
create index form_submission_of_spam on form_submission (created_at) where status = 'spam';
