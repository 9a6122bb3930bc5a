-- AI hosts that a person connected: OAuth clients, the connection of each to one organization, and what the
-- authorization server stores. Only crosswalk_system writes them, because a sign-in begins before any organization.

create table connected_app (
  org_id uuid not null references org (org_id) on delete cascade,
  connected_app_id uuid not null,
  member_id uuid not null references member (member_id) on delete cascade,
  -- The org in which the member has the role.
  home_org_id uuid not null references org (org_id) on delete cascade,
  client_id text not null,
  client_name text not null,
  -- The host that proved the client's name, or to which the person was sent back.
  client_host text not null,
  mode text not null check (mode in ('live', 'test')),
  permissions text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  revoked_by uuid,
  primary key (org_id, connected_app_id),
  unique (connected_app_id)
);
create index connected_app_by_member on connected_app (member_id);
call app.protect('connected_app');
revoke insert, delete on connected_app from crosswalk_app;

-- Clients that registered themselves (RFC 7591). Clients with a metadata document are not stored.
create table oauth_client (
  client_id text primary key,
  metadata jsonb not null,
  network text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null
);
create index oauth_client_by_network on oauth_client (network, created_at);
create index oauth_client_by_use on oauth_client (last_used_at);
call app.keep_from_orgs('oauth_client');

-- Codes, tokens, grants and sign-ins under way. The id of a code or token is its secret: only its hash is here.
create table oauth_item (
  kind text not null,
  id_hash bytea not null,
  grant_id text,
  connected_app_id uuid,
  payload jsonb not null,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  primary key (kind, id_hash)
);
create index oauth_item_by_grant on oauth_item (grant_id) where grant_id is not null;
create index oauth_item_by_app on oauth_item (connected_app_id) where connected_app_id is not null;
create index oauth_item_by_end on oauth_item (expires_at);
call app.keep_from_orgs('oauth_item');

-- A change that a member made through an app names the app.
alter table event add column connected_app_id uuid;
alter table pending_effect add column connected_app_id uuid;

-- Tells every process, at commit, that tokens of an app are out of date.
create function app.notify_connected_app() returns trigger language plpgsql as $$
begin
  perform pg_notify('crosswalk_auth', 'app:' || coalesce(new.connected_app_id, old.connected_app_id));
  return null;
end $$;
create trigger notify_auth after delete or update of permissions, revoked_at on connected_app
  for each row execute function app.notify_connected_app();

-- An access token whose grant ended is out of date at once.
create trigger notify_auth after delete on oauth_item
  for each row when (old.kind = 'AccessToken' and old.connected_app_id is not null) execute function app.notify_connected_app();
