-- The app's permissions and the role of its person as they are now. See app.hold_key: the cache of tokens can be 2 s
-- behind, and a call that a person approved must not run after the app was disconnected.
create function app.hold_app(held_app_id uuid)
  returns table (app_permissions text[], role text, permissions text[], may_act boolean)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  acted_on uuid := app.org_id();
  home uuid;
  person uuid;
begin
  select a.permissions, a.home_org_id, a.member_id into app_permissions, home, person
    from connected_app a
    where a.org_id = acted_on and a.connected_app_id = held_app_id and a.revoked_at is null
    for share;
  may_act := false;
  if found then
    perform from agency_client l where l.agency_org_id = home and l.client_org_id = acted_on for key share;
    may_act := found or home = acted_on
      or exists (select from org o where o.org_id = acted_on and o.sandbox_of = home);
    select m.role, m.permissions into role, permissions
      from membership m where m.org_id = home and m.member_id = person for share;
    may_act := may_act and found;
  end if;
  return next;
end $$;
revoke execute on function app.hold_app(uuid) from public;
grant execute on function app.hold_app(uuid) to crosswalk_app;
