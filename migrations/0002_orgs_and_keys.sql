create table org (
  org_id uuid primary key,
  name text not null,
  is_agency boolean not null default false,
  default_country text check (default_country ~ '^[A-Z]{2}$'),
  -- Rate ceilings; null lifts one.
  requests_per_second integer default 50 check (requests_per_second > 0),
  requests_per_minute integer default 1000 check (requests_per_minute > 0),
  created_at timestamptz not null default now()
);
call app.protect('org');
revoke insert, delete on org from crosswalk_app;

create table agency_client (
  agency_org_id uuid not null references org (org_id) on delete cascade,
  client_org_id uuid not null references org (org_id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (agency_org_id, client_org_id),
  check (agency_org_id <> client_org_id)
);
create index agency_client_by_client on agency_client (client_org_id);
call app.protect('agency_client', 'agency_org_id');
revoke insert, update, delete on agency_client from crosswalk_app;

-- No foreign key to org: a key whose org is gone stays recognisable, and is refused as orphaned.
create table api_key (
  org_id uuid not null,
  api_key_id uuid not null,
  token_hash bytea not null,
  token_hint text not null,
  name text not null,
  mode text not null check (mode in ('live', 'test')),
  is_agency boolean not null default false,
  -- null: all permissions.
  permissions text[],
  created_by_org_id uuid,
  created_by_api_key_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  primary key (org_id, api_key_id)
);
create unique index api_key_token_hash on api_key (token_hash);
call app.protect('api_key');

-- Tells every process which org's cached authentication has gone stale, at commit.
create function app.notify_auth() returns trigger language plpgsql as $$
declare
  changed jsonb := coalesce(to_jsonb(new), to_jsonb(old));
begin
  perform pg_notify('crosswalk_auth', coalesce(changed ->> 'agency_org_id', changed ->> 'org_id'));
  return null;
end $$;

create trigger notify_auth after update or delete on org for each row execute function app.notify_auth();
create trigger notify_auth after insert or delete on agency_client for each row execute function app.notify_auth();
create trigger notify_auth after delete or update of name, mode, is_agency, permissions, expires_at, token_hash
  on api_key for each row execute function app.notify_auth();

-- What an agency may know of its clients, and the one way in which it may make one: these cross orgs on
-- purpose, bound to the org of the transaction.
create function app.agency_clients() returns table (org_id uuid, name text, default_country text, created_at timestamptz, linked_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp as $$
  select o.org_id, o.name, o.default_country, o.created_at, l.created_at
  from agency_client l join org o on o.org_id = l.client_org_id
  where l.agency_org_id = app.org_id()
$$;

create function app.create_client_org(client_org_id uuid, client_name text, country text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into org (org_id, name, default_country) values (client_org_id, client_name, country);
  insert into agency_client (agency_org_id, client_org_id) values (app.org_id(), client_org_id);
end $$;

revoke execute on function app.agency_clients(), app.create_client_org(uuid, text, text) from public;
grant execute on function app.agency_clients(), app.create_client_org(uuid, text, text) to crosswalk_app;
