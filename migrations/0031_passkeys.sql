-- Passkeys (WebAuthn). A person has them in all organizations.
create table passkey (
  passkey_id uuid primary key,
  member_id uuid not null references member on delete cascade,
  -- The id that the authenticator chose.
  credential_id bytea not null unique,
  -- COSE (RFC 9052).
  public_key bytea not null,
  -- The number of signatures that the authenticator reported; 0: it does not count.
  counter bigint not null,
  transports text[] not null,
  -- The host for which the passkey was made. It works at no other host.
  host text not null,
  -- True if the passkey is copied to other devices of the person.
  is_synced boolean not null,
  name text not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index passkey_by_member on passkey (member_id);
call app.keep_from_orgs('passkey');

-- A challenge that an authenticator may sign once. Its use deletes it.
create table passkey_challenge (
  -- SHA-256.
  challenge_hash bytea primary key,
  purpose text not null check (purpose in ('sign_in', 'confirm', 'register', 'recover', 'join')),
  -- The person who may sign it; null in a sign-in. The purpose `join` has the id of a new person.
  member_id uuid,
  expires_at timestamptz not null
);
create index passkey_challenge_by_end on passkey_challenge (expires_at);
call app.keep_from_orgs('passkey_challenge');

create trigger notify_auth after insert or delete on passkey
  for each row execute function app.notify_member();
