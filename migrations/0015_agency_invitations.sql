-- Invitations of agencies: an organization that accepts one becomes a client of the agency.
create table agency_invitation (
  org_id uuid not null references org (org_id) on delete cascade,
  invitation_id uuid not null,
  label text,
  token_hash bytea not null,
  token_hint text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  client_org_id uuid,
  primary key (org_id, invitation_id),
  check ((accepted_at is null) = (client_org_id is null))
);
create unique index agency_invitation_token_hash on agency_invitation (token_hash);
create index agency_invitation_open on agency_invitation (org_id, expires_at) where accepted_at is null;
call app.protect('agency_invitation');

-- Links have two sides, so these functions cross organizations on purpose. Each is bound to the organization of the
-- transaction, which must be one of the two.

-- The client with this id, for its agency.
create function app.client_of_agency(client uuid) returns table (name text, default_country text, created_at timestamptz)
  language sql stable security definer rows 1 set search_path = public, pg_temp as $$
  select o.name, o.default_country, o.created_at
  from agency_client l join org o on o.org_id = l.client_org_id
  where l.agency_org_id = app.org_id() and l.client_org_id = client
$$;

-- The agencies of the bound organization.
create function app.agencies() returns table (org_id uuid, agency_org_id uuid, name text, linked_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp as $$
  select l.client_org_id, o.org_id, o.name, l.created_at
  from agency_client l join org o on o.org_id = l.agency_org_id
  where l.client_org_id = app.org_id()
$$;

-- Makes the bound organization a client of the agency whose invitation has this token. The outcome is `linked`, or why
-- not: `unknown` (no such invitation, or it was accepted or has expired), `own` (of the organization itself, or of the
-- agency to which the caller's key belongs), `already_linked`, or `full` (the agency has `clients_max` clients).
create function app.accept_invitation(sent_hash bytea, key_of uuid, clients_max integer, event_id uuid, event_at timestamptz)
  returns table (outcome text, invitation_id uuid, agency_org_id uuid)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  client uuid := app.org_id();
begin
  -- The agency is locked before its invitation: deleting it locks them in this order, and would deadlock otherwise.
  select i.org_id into agency_org_id from agency_invitation i where i.token_hash = sent_hash;
  perform from org o where o.org_id = agency_org_id for key share;
  if found then
    select i.invitation_id into invitation_id from agency_invitation i
      where i.token_hash = sent_hash and i.accepted_at is null and i.expires_at > clock_timestamp() for update;
  end if;
  if invitation_id is null then
    outcome := 'unknown';
  elsif agency_org_id in (client, key_of) then
    outcome := 'own';
  elsif (select count(*) from agency_client l where l.agency_org_id = accept_invitation.agency_org_id) >= clients_max then
    outcome := 'full';
  else
    insert into agency_client (agency_org_id, client_org_id) values (agency_org_id, client) on conflict do nothing;
    if found then
      outcome := 'linked';
      update agency_invitation i set accepted_at = event_at, client_org_id = client
        where i.org_id = agency_org_id and i.invitation_id = accept_invitation.invitation_id;
      insert into event (org_id, event_id, type, object_id, mode, data, created_at)
      values (agency_org_id, event_id, 'agency.client_linked', client, 'live', jsonb_build_object('invitation_id', invitation_id), event_at);
    else
      outcome := 'already_linked';
    end if;
  end if;
  return next;
end $$;

-- Cuts the link between an agency and its client, and tells the other one of the two in an event. Returns the keys that the
-- agency made in the client, or null if there was no link.
create function app.cut_link(agency uuid, client uuid, event_id uuid, event_at timestamptz) returns jsonb
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  by_agency boolean := app.org_id() = agency;
begin
  if app.org_id() is null or app.org_id() not in (agency, client) then
    return null;
  end if;
  delete from agency_client l where l.agency_org_id = agency and l.client_org_id = client;
  if not found then
    return null;
  end if;
  insert into event (org_id, event_id, type, object_id, mode, created_at)
  values (case when by_agency then client else agency end, event_id,
    case when by_agency then 'org.agency_unlinked' else 'agency.client_unlinked' end,
    case when by_agency then agency else client end, 'live', event_at);
  return coalesce((
    select jsonb_agg(jsonb_build_object('api_key_id', k.api_key_id, 'name', k.name) order by k.api_key_id)
    from api_key k where k.org_id = client and k.created_by_org_id = agency), '[]');
end $$;

drop function app.agency_clients();
revoke execute on function app.client_of_agency(uuid), app.agencies(),
  app.accept_invitation(bytea, uuid, integer, uuid, timestamptz), app.cut_link(uuid, uuid, uuid, timestamptz) from public;
grant execute on function app.client_of_agency(uuid), app.agencies(),
  app.accept_invitation(bytea, uuid, integer, uuid, timestamptz), app.cut_link(uuid, uuid, uuid, timestamptz) to crosswalk_app;
