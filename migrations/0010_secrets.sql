-- Credentials of orgs at other services, sealed with a key that is not in the database. `key_id` identifies that key.
create table secret (
  org_id uuid not null,
  name text collate "C" not null,
  key_id text collate "C" not null,
  sealed bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, name)
);
call app.protect('secret');
