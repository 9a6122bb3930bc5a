-- The events of a link have the name of the other organization. After the link was cut, nobody could tell whom they are about.

create or replace function app.accept_invitation(sent_hash bytea, key_of uuid, clients_max integer, event_id uuid, event_at timestamptz)
  returns table (outcome text, invitation_id uuid, agency_org_id uuid)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  client uuid := app.org_id();
begin
  -- The agency is locked before its invitation: deleting it locks them in this order, and would deadlock otherwise.
  select i.org_id into agency_org_id from agency_invitation i where i.token_hash = sent_hash;
  perform pg_advisory_xact_lock(hashtextextended('clients ' || agency_org_id, 0));
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
      values (agency_org_id, event_id, 'agency.client_linked', client, 'live',
        jsonb_build_object('invitation_id', invitation_id, 'name', (select o.name from org o where o.org_id = client)), event_at);
    else
      outcome := 'already_linked';
    end if;
  end if;
  return next;
end $$;

create or replace function app.cut_link(agency uuid, client uuid, event_id uuid, event_at timestamptz) returns jsonb
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
  insert into event (org_id, event_id, type, object_id, mode, data, created_at)
  values (case when by_agency then client else agency end, event_id,
    case when by_agency then 'org.agency_unlinked' else 'agency.client_unlinked' end,
    case when by_agency then agency else client end, 'live',
    jsonb_build_object('name', (select o.name from org o where o.org_id = case when by_agency then agency else client end)), event_at);
  return coalesce((
    select jsonb_agg(jsonb_build_object('api_key_id', k.api_key_id, 'name', k.name) order by k.api_key_id)
    from api_key k where k.org_id = client and k.created_by_org_id = agency), '[]');
end $$;
