-- An endpoint that a person made shows what the role of the person allows at the moment, and stops when the person leaves.
alter table webhook_endpoint
  add column member_id uuid,
  -- The organization in which the member has the role: that of the endpoint, its agency, or the maker of a sandbox.
  add column member_org_id uuid,
  add constraint webhook_endpoint_maker check ((member_id is null) = (member_org_id is null)),
  drop constraint webhook_endpoint_disabled_reason_check,
  add constraint webhook_endpoint_disabled_reason_check
    check (disabled_reason in ('by_request', 'gone', 'no_success', 'member_left'));

-- The role of a member who may act on the bound organization; no row: not a member, or the link to the agency was cut.
create function app.maker_rights(home_org_id uuid, maker_id uuid) returns table (role text, permissions text[])
  language sql stable security definer set search_path = public, pg_temp as $$
  select m.role, m.permissions from membership m
  where m.org_id = home_org_id and m.member_id = maker_id
    and (home_org_id = app.org_id()
      or exists (select from agency_client l where l.agency_org_id = home_org_id and l.client_org_id = app.org_id())
      or exists (select from org o where o.org_id = app.org_id() and o.sandbox_of = home_org_id))
$$;
revoke execute on function app.maker_rights(uuid, uuid) from public;
grant execute on function app.maker_rights(uuid, uuid) to crosswalk_app, crosswalk_system;

-- Resends that wait are counted by organization.
create index webhook_retry_resend on webhook_retry (org_id) where kind = 'resend';
