-- The agencies through which a member acts on the organization: for the log of a client, which shows the member's name.
-- null: the person is a member of the organization, or none of their agencies is linked to it.
create function app.agency_of_member(id uuid) returns text
  language sql stable security definer set search_path = public, pg_temp as $$
  select string_agg(o.name, ', ' order by o.name)
  from agency_client l
  join membership m on m.org_id = l.agency_org_id and m.member_id = id
  join org o on o.org_id = l.agency_org_id
  where l.client_org_id = app.org_id()
    and not exists (select from membership own where own.org_id = app.org_id() and own.member_id = id)
$$;
revoke execute on function app.agency_of_member(uuid) from public;
grant execute on function app.agency_of_member(uuid) to crosswalk_app, crosswalk_system;
