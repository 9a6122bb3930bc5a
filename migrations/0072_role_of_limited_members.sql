-- Members whose access is limited use a role of their own. So its policies can name columns, and lists of these members read
-- the index of owners alone. The policies of crosswalk_app concern the organization only, as before migration 0067.

-- The members whose records the transaction sees. The server stores the result of app.record_owners() in the setting when a
-- limited transaction begins. Without the setting, a limited transaction sees no record.
create function app.seen_owners() returns uuid[] language sql stable parallel safe
  return nullif(current_setting('app.record_owners', true), '')::uuid[];

-- Policies also bind roles that are members of crosswalk_limited, such as a migrating role that enters it by SET ROLE. Functions
-- that run as their owner see all records of the organization, whichever role that is.
create function app.is_limited() returns boolean language sql stable parallel safe
  return current_user = 'crosswalk_limited';

create procedure app.limit_role_to_owners(limited text) language plpgsql as $$
declare
  id text := limited || '_id';
  owned text := 'owner_id = any ((select app.seen_owners())::uuid[])';
begin
  execute format($f$
    drop policy seen on %1$I;
    drop policy made on %1$I;
    drop policy kept on %1$I;
    create policy seen on %1$I as restrictive for select to crosswalk_limited
      using (not (select app.is_limited())
        or case when status = 'merged' then app.sees_%1$s(%2$I, (select app.seen_owners())) else %3$s end);
    create policy made on %1$I as restrictive for insert to crosswalk_limited with check (not (select app.is_limited()) or %3$s);
    create policy kept on %1$I as restrictive for update to crosswalk_limited
      using (true) with check (not (select app.is_limited()) or %3$s or merged_into_id is not null)$f$, limited, id, owned);
end $$;
call app.limit_role_to_owners('contact');
call app.limit_role_to_owners('company');
call app.limit_role_to_owners('deal');
drop procedure app.limit_role_to_owners(text);

-- Searches for limited members. Without the owners, a common word would find the records of the whole organization.
create function app.search_contacts(query text, owners uuid[]) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp as $$
  select contact_id from contact where org_id = app.org_id() and owner_id = any(owners) and search @@ query::tsquery
$$;
create function app.search_companies(query text, owners uuid[]) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp as $$
  select company_id from company where org_id = app.org_id() and owner_id = any(owners) and search @@ query::tsquery
$$;
create function app.search_deals(query text, owners uuid[]) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp as $$
  select deal_id from deal where org_id = app.org_id() and owner_id = any(owners) and search @@ query::tsquery
$$;
revoke execute on function app.search_contacts(text, uuid[]), app.search_companies(text, uuid[]), app.search_deals(text, uuid[])
  from public;
grant execute on function app.search_contacts(text, uuid[]), app.search_companies(text, uuid[]), app.search_deals(text, uuid[])
  to crosswalk_app;
drop procedure app.limit_to_owners(text);

drop policy seen on note;
drop policy seen on task;
drop policy seen on merge;
drop policy seen on event;
drop policy seen on import;
create policy seen on note as restrictive to crosswalk_limited
  using (not (select app.is_limited()) or app.sees_record(entity, record_raw_id, (select app.seen_owners())));
create policy seen on task as restrictive to crosswalk_limited
  using (not (select app.is_limited()) or app.sees_record(entity, record_raw_id, (select app.seen_owners())));
create policy seen on merge as restrictive for select to crosswalk_limited
  using (not (select app.is_limited()) or app.sees_merge(merge_id, (select app.seen_owners())));
create policy seen on event as restrictive for select to crosswalk_limited
  using (not (select app.is_limited()) or app.sees_event(event_id, (select app.seen_owners())));
create policy seen on import as restrictive for select to crosswalk_limited
  using (not (select app.is_limited()) or member_id = (select app.limited_member()));
