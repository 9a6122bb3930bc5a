-- The log of an organization must say for which agency somebody acted, also after the agency deleted its key or removed
-- the person. Otherwise an agency could take its name out of the log of a client.

-- The agencies that can act on the bound organization, and those whose link was cut.
create function app.agencies_so_far() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp as $$
  select l.agency_org_id from agency_client l where l.client_org_id = app.org_id()
  union
  select e.object_id from event e where e.org_id = app.org_id() and e.type = 'org.agency_unlinked'
$$;
revoke execute on function app.agencies_so_far() from public;

-- The name of the agency that owns or owned an API key, or that made it in the bound organization. null: no agency did, or
-- the events that would show it were deleted. A key that rotates itself leaves a deleted key each time: of a chain of such
-- keys, 20 are followed back, so that no list of events costs more than a limited time.
create or replace function app.agency_of_key(id uuid) returns text
  language sql stable strict security definer set search_path = public, pg_temp as $$
  with recursive so_far as materialized (
    select a.org_id from app.agencies_so_far() a(org_id)
  ), maker(api_key_id, member_id, step) as (
    select id, null::uuid, 0
    union all
    select e.api_key_id, e.member_id, m.step + 1
    from maker m join event e on e.org_id = app.org_id() and e.object_id = m.api_key_id
      and e.type in ('api_key.created', 'api_key.rotated')
    where m.step < 20 and exists (select from so_far)
  )
  select n.name
  from maker m cross join lateral (select coalesce(
    (select o.name from api_key k join org o on o.org_id = k.org_id
      where k.api_key_id = m.api_key_id and k.org_id <> app.org_id()),
    (select o.name from so_far a join org o on o.org_id = a.org_id
      where exists (select from event e
        where e.org_id = a.org_id and e.object_id = m.api_key_id
          and e.type in ('api_key.created', 'api_key.rotated', 'api_key.deleted'))
      limit 1),
    app.agency_of_member(m.member_id)) as name) n
  where n.name is not null
  order by m.step limit 1
$$;

-- As before, but also if the agency removed the person. Acts as the client's own member, before the person joined the agency,
-- then have the agency in brackets, too: without this, an agency could take its name out of the log.
create or replace function app.agency_of_member(id uuid) returns text
  language sql stable strict security definer set search_path = public, pg_temp as $$
  select string_agg(o.name, ', ' order by o.name)
  from app.agencies_so_far() a(org_id) join org o on o.org_id = a.org_id
  where not exists (select from membership own where own.org_id = app.org_id() and own.member_id = id)
    and (exists (select from membership m where m.org_id = o.org_id and m.member_id = id)
      or exists (select from event e
        where e.org_id = o.org_id and e.object_id = id and e.type = 'member.removed'))
$$;
