-- A tool call that waits for a person must disappear when the key that asked can no longer act on the organization. The key
-- of an agency is in another organization, so that row-level security hides it.

-- True if this API key exists, has not expired, and may act on the bound organization.
create function app.key_may_act(id uuid) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from (
      select app.org_id() as org_id, false as for_client
      union all
      select l.agency_org_id, true from agency_client l where l.client_org_id = app.org_id()) o
    join api_key k on k.org_id = o.org_id and k.api_key_id = id
    where (k.is_agency or not o.for_client) and (k.expires_at is null or k.expires_at > now()))
$$;
revoke execute on function app.key_may_act(uuid) from public;
grant execute on function app.key_may_act(uuid) to crosswalk_app;
