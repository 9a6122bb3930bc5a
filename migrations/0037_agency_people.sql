-- The agency whose people invited a member, or made the link; null: people of the organization itself, or the operator.
alter table link add column invited_by_org_id uuid;
alter table membership add column invited_by_org_id uuid;

-- Cuts the link between an agency and its client (app.cut_link), and voids the open links that people of the agency made in
-- the client. Returns the keys that the agency made and the members whom it invited, or null if there was no link.
create function app.end_agency(agency uuid, client uuid, event_id uuid, event_at timestamptz) returns jsonb
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  keys jsonb := app.cut_link(agency, client, event_id, event_at);
begin
  if keys is null then
    return null;
  end if;
  delete from link l where l.org_id = client and l.invited_by_org_id = agency;
  return jsonb_build_object('api_keys', keys, 'members', coalesce((
    select jsonb_agg(jsonb_build_object('member_id', m.member_id, 'name', m.name, 'role', h.role) order by m.name, m.member_id)
    from membership h join member m on m.member_id = h.member_id
    where h.org_id = client and h.invited_by_org_id = agency), '[]'));
end $$;
revoke execute on function app.end_agency(uuid, uuid, uuid, timestamptz) from public;
grant execute on function app.end_agency(uuid, uuid, uuid, timestamptz) to crosswalk_app;
