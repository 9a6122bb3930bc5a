-- The current rights of a person who approved a call, in the org of the transaction. They cannot change until the
-- transaction ends. No row: the person no longer reaches the org. As for sessions, a membership in the org itself has
-- priority over others, nobody is limited in a sandbox, and limited members of an agency reach none of its clients.
create function app.hold_approver(approver_id uuid)
  returns table (role text, permissions text[], record_access text)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  acted_on uuid := app.org_id();
begin
  return query select m.role, m.permissions, m.record_access
    from membership m where m.org_id = acted_on and m.member_id = approver_id for share;
  if found then
    return;
  end if;
  return query select m.role, m.permissions, 'all'
    from membership m
    where m.member_id = approver_id and (
      m.org_id = (select o.sandbox_of from org o where o.org_id = acted_on)
      or m.record_access = 'all'
        and m.org_id in (select l.agency_org_id from agency_client l where l.client_org_id = acted_on))
    for share;
end $$;
revoke execute on function app.hold_approver(uuid) from public;
grant execute on function app.hold_approver(uuid) to crosswalk_app;
