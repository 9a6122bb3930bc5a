-- A tool call that waits for a person must also disappear when the key that asked lost the permission of the tool.

drop function app.key_may_act(uuid);
-- True if this API key exists, has not expired, may act on the bound organization, and has this permission, which ends
-- with `:write`. See `allows` in src/auth/permissions.ts.
create function app.key_may_act(id uuid, permission text) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from (
      select app.org_id() as org_id, false as for_client
      union all
      select l.agency_org_id, true from agency_client l where l.client_org_id = app.org_id()) o
    join api_key k on k.org_id = o.org_id and k.api_key_id = id
    where (k.is_agency or not o.for_client) and (k.expires_at is null or k.expires_at > now())
      and (k.permissions is null or k.permissions && array['*', permission,
        split_part(permission, ':', 1) || ':*', split_part(permission, ':', 1) || ':manage']))
$$;
revoke execute on function app.key_may_act(uuid, text) from public;
grant execute on function app.key_may_act(uuid, text) to crosswalk_app;
