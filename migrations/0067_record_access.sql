-- Members whose access is limited see only the contacts, companies and deals that they own, or that a member of their teams
-- owns. Notes, tasks, merges and events follow their record.
create table team (
  org_id uuid not null references org on delete cascade,
  team_id uuid not null,
  name text not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, team_id)
);
create unique index team_by_name on team (org_id, lower(name));

create table team_member (
  org_id uuid not null,
  team_id uuid not null,
  member_id uuid not null,
  primary key (org_id, team_id, member_id),
  foreign key (org_id, team_id) references team (org_id, team_id) on delete cascade,
  foreign key (org_id, member_id) references membership (org_id, member_id) on delete cascade
);
create index team_of_member on team_member (org_id, member_id);
call app.protect('team');
call app.protect('team_member');

alter table membership add column record_access text not null default 'all'
  check (record_access in ('all', 'team', 'own') and (record_access = 'all' or role in ('member', 'viewer')));
drop trigger notify_auth on membership;
create trigger notify_auth after insert or delete or update of role, permissions, record_access on membership
  for each row execute function app.notify_member();

-- A webhook endpoint sees all records, so it stops when the access of its maker is limited.
create or replace function app.maker_rights(home_org_id uuid, maker_id uuid) returns table (role text, permissions text[])
  language sql stable security definer set search_path = public, pg_temp as $$
  select m.role, m.permissions from membership m
  where m.org_id = home_org_id and m.member_id = maker_id and m.record_access = 'all'
    and (home_org_id = app.org_id()
      or exists (select from agency_client l where l.agency_org_id = home_org_id and l.client_org_id = app.org_id())
      or exists (select from org o where o.org_id = app.org_id() and o.sandbox_of = home_org_id))
$$;

-- The setting app.record_access of a transaction is 'own <member id>' or 'team <member id>'. Without it, nothing is limited.
create function app.limited_member() returns uuid language sql stable parallel safe
  return substring(current_setting('app.record_access', true) from '[0-9a-f-]{36}$')::uuid;

-- The members whose records a limited transaction sees. A change of a team takes effect with the next statement.
create function app.record_owners() returns uuid[]
  language sql stable security definer set search_path = public, pg_temp as $$
  select case when current_setting('app.record_access', true) like 'team %' then array(
    select app.limited_member()
    union
    select other.member_id from team_member own join team_member other on other.org_id = own.org_id and other.team_id = own.team_id
    where own.org_id = app.org_id() and own.member_id = app.limited_member())
  else array[app.limited_member()] end
$$;
revoke execute on function app.record_owners() from public;
grant execute on function app.record_owners() to crosswalk_app;

-- Whether one of `owners` owns the canonical record of `id`. The owner of an absorbed record does not count.
-- These functions get an id, not columns: a policy that names a column would keep PostgreSQL from reading only an index.
-- The low cost keeps the plans of transactions that are not limited.
create procedure app.limit_to_owners(limited text) language plpgsql as $$
declare
  id text := limited || '_id';
  unlimited text := '(select coalesce(current_setting(''app.record_access'', true), '''') = '''')';
  kept text := unlimited || ' or owner_id = any ((select app.record_owners())::uuid[])';
begin
  execute format($f$
    create function app.sees_%1$s(id uuid, owners uuid[]) returns boolean
      language plpgsql stable security definer cost 0.01 set search_path = public, pg_temp as $body$
    declare
      owner uuid;
      root uuid;
    begin
      select r.owner_id, r.merged_into_id into owner, root from %1$I r where r.org_id = app.org_id() and r.%2$I = id;
      if root is not null then
        select r.owner_id into owner from %1$I r where r.org_id = app.org_id() and r.%2$I = root;
      end if;
      return coalesce(owner = any (owners), false);
    end $body$;
    revoke execute on function app.sees_%1$s(uuid, uuid[]) from public;
    grant execute on function app.sees_%1$s(uuid, uuid[]) to crosswalk_app;
    create policy seen on %1$I as restrictive for select to crosswalk_app
      using (%3$s or app.sees_%1$s(%2$I, (select app.record_owners())));
    create policy made on %1$I as restrictive for insert to crosswalk_app with check (%4$s);
    create policy kept on %1$I as restrictive for update to crosswalk_app
      using (true) with check (%4$s or merged_into_id is not null)$f$, limited, id, unlimited, kept);
end $$;
call app.limit_to_owners('contact');
call app.limit_to_owners('company');
call app.limit_to_owners('deal');

create function app.sees_record(entity text, id uuid, owners uuid[]) returns boolean
  language plpgsql stable security definer cost 0.01 set search_path = public, pg_temp as $$
begin
  return case entity
    when 'contact' then app.sees_contact(id, owners)
    when 'company' then app.sees_company(id, owners)
    when 'deal' then app.sees_deal(id, owners)
    else false end;
end $$;

create function app.sees_merge(id uuid, owners uuid[]) returns boolean
  language plpgsql stable security definer cost 0.01 set search_path = public, pg_temp as $$
begin
  return exists (
    select from merge m where m.org_id = app.org_id() and m.merge_id = id
      and app.sees_record(m.entity, m.survivor_id, owners) and app.sees_record(m.entity, m.loser_id, owners));
end $$;

-- Events of records, notes and tasks. All other events concern the whole organization.
create function app.sees_event(id uuid, owners uuid[]) returns boolean
  language plpgsql stable security definer cost 0.01 set search_path = public, pg_temp as $$
declare
  noun text;
  about uuid;
  data jsonb;
begin
  select split_part(e.type, '.', 1), e.object_id, e.data into noun, about, data
  from event e where e.org_id = app.org_id() and e.event_id = id;
  if noun in ('note', 'task') then
    return app.sees_record(data ->> 'entity_type', (data ->> 'record_id')::uuid, owners);
  end if;
  return app.sees_record(noun, about, owners);
end $$;
revoke execute on function app.sees_record(text, uuid, uuid[]), app.sees_merge(uuid, uuid[]), app.sees_event(uuid, uuid[])
  from public;
grant execute on function app.sees_record(text, uuid, uuid[]), app.sees_merge(uuid, uuid[]), app.sees_event(uuid, uuid[])
  to crosswalk_app;

create policy seen on note as restrictive to crosswalk_app
  using ((select coalesce(current_setting('app.record_access', true), '') = '')
    or app.sees_record(entity, record_raw_id, (select app.record_owners())));
create policy seen on task as restrictive to crosswalk_app
  using ((select coalesce(current_setting('app.record_access', true), '') = '')
    or app.sees_record(entity, record_raw_id, (select app.record_owners())));
create policy seen on merge as restrictive for select to crosswalk_app
  using ((select coalesce(current_setting('app.record_access', true), '') = '')
    or app.sees_merge(merge_id, (select app.record_owners())));
create policy seen on event as restrictive for select to crosswalk_app
  using ((select coalesce(current_setting('app.record_access', true), '') = '')
    or app.sees_event(event_id, (select app.record_owners())));
create policy seen on import as restrictive for select to crosswalk_app
  using ((select coalesce(current_setting('app.record_access', true), '') = '')
    or member_id = (select app.limited_member()));

-- With the id, the number of records that changed since a time reads only the index, as before the policies. Their order
-- of equal times is that of the list.
drop index contact_updated, company_updated, deal_updated;
create index contact_updated on contact (org_id, updated_at, contact_id) where status = 'active';
create index company_updated on company (org_id, updated_at, company_id) where status = 'active';
create index deal_updated on deal (org_id, updated_at, deal_id) where status = 'active';
