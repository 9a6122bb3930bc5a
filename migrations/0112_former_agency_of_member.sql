-- The name of the agency, or agencies, of a person who acted on the bound organization, also after the link was cut: the
-- log of the organization must still say for whom the person acted. null: the person is a member, or of no such agency.
create or replace function app.agency_of_member(id uuid) returns text
  language sql stable security definer set search_path = public, pg_temp as $$
  select string_agg(o.name, ', ' order by o.name)
  from membership m join org o on o.org_id = m.org_id
  where m.member_id = id
    and not exists (select from membership own where own.org_id = app.org_id() and own.member_id = id)
    and (exists (select from agency_client l where l.agency_org_id = m.org_id and l.client_org_id = app.org_id())
      or exists (select from event e
        where e.org_id = app.org_id() and e.object_id = m.org_id and e.type = 'org.agency_unlinked'))
$$;
