-- Organizations, the agencies that act for them, and API keys.
create table org (
  org_id uuid primary key,
  name text not null,
  is_agency boolean not null default false,
  default_country text check (default_country ~ '^[A-Z]{2}$'),
  -- Rate limits; null: no limit.
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

-- These two functions cross organizations on purpose. They are bound to the org of the transaction: it sees its own
-- clients and adds clients to itself.
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

-- No foreign key to org: a key whose org was deleted must still be found, so that its request gets the right 401.
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
  -- The key that a rotation made. A key is rotated once: a second new key would expire when the old one does.
  replaced_by_api_key_id uuid,
  primary key (org_id, api_key_id)
);
create unique index api_key_token_hash on api_key (token_hash);
call app.protect('api_key');

-- The caller's key as it is now, for requests whose effect outlives the key. The key cache can be 2 s behind.
-- The key and its agency's link stay locked until the transaction ends, so a deletion waits and then finds what was made.
-- The function crosses organizations, so it answers only about keys of the bound organization and of its agencies. It
-- returns no row about any other key, and a row without may_act about a deleted or expired key.
create function app.hold_key(key_org_id uuid, key_id uuid)
  returns table (permissions text[], may_act boolean, made_by_org_id uuid)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  acted_on uuid := app.org_id();
begin
  perform from agency_client l
    where l.agency_org_id = key_org_id and l.client_org_id = acted_on for key share;
  if not found and key_org_id is distinct from acted_on then
    return;
  end if;
  -- A key that an agency makes in a client belongs to the agency. So does every key which that key makes.
  select k.permissions, case when k.org_id = acted_on then coalesce(k.created_by_org_id, k.org_id) else k.org_id end
    into permissions, made_by_org_id
    from api_key k
    where k.org_id = key_org_id and k.api_key_id = key_id and (k.expires_at is null or k.expires_at > clock_timestamp())
    for share;
  may_act := found;
  return next;
end $$;

revoke execute on function app.hold_key(uuid, uuid) from public;
grant execute on function app.hold_key(uuid, uuid) to crosswalk_app;

-- Tells every process, at commit, whose cached keys are out of date. Linking or unlinking a client concerns the keys of
-- both organizations: a key that a linked agency made spends the agency's rate limit.
create function app.notify_auth() returns trigger language plpgsql as $$
declare
  changed jsonb := coalesce(to_jsonb(new), to_jsonb(old));
begin
  perform pg_notify('crosswalk_auth', coalesce(changed ->> 'agency_org_id', changed ->> 'org_id'));
  if changed ? 'client_org_id' then
    perform pg_notify('crosswalk_auth', changed ->> 'client_org_id');
  end if;
  return null;
end $$;

create trigger notify_auth after update or delete on org for each row execute function app.notify_auth();
create trigger notify_auth after insert or delete on agency_client for each row execute function app.notify_auth();
create trigger notify_auth after delete or update of name, mode, is_agency, permissions, expires_at, token_hash
  on api_key for each row execute function app.notify_auth();
