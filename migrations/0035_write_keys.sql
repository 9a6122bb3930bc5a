-- Write keys. A web page shows its write key to everybody, so the key is stored readable.
create table write_key (
  org_id uuid not null,
  write_key_id uuid not null,
  name text not null,
  mode text collate "C" not null check (mode in ('live', 'test')),
  key text collate "C" not null,
  -- The key before the last rotation, while it is still accepted.
  old_key text collate "C",
  old_key_expires_at timestamptz,
  -- https://example.com, https://*.example.com; none: any origin.
  origins text[] not null,
  purposes text[] not null,
  events_per_second integer not null check (events_per_second > 0),
  events_per_day integer not null check (events_per_day > 0),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_seen_at timestamptz,
  primary key (org_id, write_key_id),
  check ((old_key is null) = (old_key_expires_at is null))
);
call app.protect('write_key');
create unique index write_key_by_key on write_key (key);
create unique index write_key_by_old_key on write_key (old_key);
create trigger notify_auth after delete or update of key, old_key, old_key_expires_at, origins, purposes, events_per_second, events_per_day
  on write_key for each row execute function app.notify_auth();
