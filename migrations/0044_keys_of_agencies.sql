-- A key that a linked agency made spends the agency's rate limit. So a link or its end changes what processes remember
-- of the keys of both organizations, not only of the agency's.
create or replace function app.notify_auth() returns trigger language plpgsql as $$
declare
  changed jsonb := coalesce(to_jsonb(new), to_jsonb(old));
begin
  perform pg_notify('crosswalk_auth', coalesce(changed ->> 'agency_org_id', changed ->> 'org_id'));
  if changed ? 'client_org_id' then
    perform pg_notify('crosswalk_auth', changed ->> 'client_org_id');
  end if;
  return null;
end $$;

-- The function crosses organizations, so it answers only about keys of the bound organization and of its agencies. It
-- returns no row about any other key, and a row without may_act about a key that is gone. (Processes of the version
-- before read such a row as a refusal.)
create or replace function app.hold_key(key_org_id uuid, key_id uuid)
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
  -- What an agency's key makes in a client's org stays the agency's, down the generations.
  select k.permissions, case when k.org_id = acted_on then coalesce(k.created_by_org_id, k.org_id) else k.org_id end
    into permissions, made_by_org_id
    from api_key k
    where k.org_id = key_org_id and k.api_key_id = key_id and (k.expires_at is null or k.expires_at > clock_timestamp())
    for share;
  may_act := found;
  return next;
end $$;
