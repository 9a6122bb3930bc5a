-- The key that took over from a rotated one; a second successor would inherit the end of the grace as its expiry.
alter table api_key add column replaced_by_api_key_id uuid;

-- The caller's key as it stands now, for acts that outlive it: authentication may remember a key for two seconds
-- after it, its permissions or its agency's link were taken away. Both rows stay locked to the end of the
-- transaction, so that whoever takes them away waits, and then finds what was made. No row: no such key any more.
create function app.hold_key(key_org_id uuid, key_id uuid)
  returns table (permissions text[], may_act boolean, made_by_org_id uuid)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  acted_on uuid := app.org_id();
begin
  perform from agency_client l
    where l.agency_org_id = key_org_id and l.client_org_id = acted_on for key share;
  may_act := found or key_org_id = acted_on;
  -- What an agency's key makes in a client's org stays the agency's, down the generations.
  select k.permissions, case when k.org_id = acted_on then coalesce(k.created_by_org_id, k.org_id) else k.org_id end
    into permissions, made_by_org_id
    from api_key k
    where k.org_id = key_org_id and k.api_key_id = key_id and (k.expires_at is null or k.expires_at > clock_timestamp())
    for share;
  if found then
    return next;
  end if;
end $$;

revoke execute on function app.hold_key(uuid, uuid) from public;
grant execute on function app.hold_key(uuid, uuid) to crosswalk_app;
