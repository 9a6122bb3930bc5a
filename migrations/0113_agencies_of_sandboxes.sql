-- Whether keys of this organization may be in the bound one: it made the bound sandbox, or is an agency of the bound
-- organization or of the one that made the bound sandbox.
create function app.has_keys_here(id uuid) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from org o
    where o.org_id = app.org_id() and (o.sandbox_of = id or exists (
      select from agency_client l
      where l.agency_org_id = id and l.client_org_id = coalesce(o.sandbox_of, o.org_id))))
$$;
revoke execute on function app.has_keys_here(uuid) from public;
grant execute on function app.has_keys_here(uuid) to crosswalk_app;
