-- True if a member who is no owner made the key, or a key which such a member made. Only owners decide about agencies.
alter table api_key add column is_below_owner boolean not null default false;
update api_key k set is_below_owner = true
  from membership m
  where m.org_id = coalesce(k.created_by_org_id, k.org_id) and m.member_id = k.created_by_member_id
    and (m.role <> 'owner' or m.permissions is not null);

drop function app.hold_key(uuid, uuid);
create function app.hold_key(key_org_id uuid, key_id uuid)
  returns table (permissions text[], may_act boolean, made_by_org_id uuid, is_below_owner boolean)
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
  select k.permissions, case when k.org_id = acted_on then coalesce(k.created_by_org_id, k.org_id) else k.org_id end,
      k.is_below_owner
    into permissions, made_by_org_id, is_below_owner
    from api_key k
    where k.org_id = key_org_id and k.api_key_id = key_id and (k.expires_at is null or k.expires_at > clock_timestamp())
    for share;
  may_act := found;
  return next;
end $$;
revoke execute on function app.hold_key(uuid, uuid) from public;
grant execute on function app.hold_key(uuid, uuid) to crosswalk_app;
