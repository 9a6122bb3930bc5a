-- The name of the agency that owns an API key. Keys of an agency act in its clients, which do not have these keys.
create function app.agency_of_key(id uuid) returns text
  language sql stable security definer set search_path = public, pg_temp as $$
  select o.name from api_key k join org o on o.org_id = k.org_id
  where k.api_key_id = id and k.org_id <> app.org_id()
$$;
revoke execute on function app.agency_of_key(uuid) from public;
grant execute on function app.agency_of_key(uuid) to crosswalk_app, crosswalk_system;
