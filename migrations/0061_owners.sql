-- A member owns a contact, company or deal. The record stores the address that was written, and the member who has it.
alter table contact add column owner_email text, add column owner_id uuid;
alter table company add column owner_email text, add column owner_id uuid;
alter table deal add column owner_id uuid;
update deal d set owner_id = m.member_id
  from membership h join member m on m.member_id = h.member_id
  where h.org_id = d.org_id and m.email_key = lower(d.owner_email);

-- Lists of active records of an owner in their order, and jobs that read all of them.
create index contact_owner on contact (org_id, owner_id, contact_id) include (status) where owner_id is not null;
create index company_owner on company (org_id, owner_id, company_id) include (status) where owner_id is not null;
create index deal_owner on deal (org_id, owner_id, deal_id) include (status) where owner_id is not null;

-- The members of the organization of the transaction. Only crosswalk_system reads addresses of members otherwise.
create function app.owners() returns table (member_id uuid, email text, email_key text, name text)
  language sql stable security definer set search_path = public, pg_temp as $$
  select m.member_id, m.email, m.email_key, m.name
  from membership h join member m on m.member_id = h.member_id
  where h.org_id = app.org_id()
  order by lower(m.name), m.member_id
$$;
revoke execute on function app.owners() from public;
grant execute on function app.owners() to crosswalk_app;

-- Some of them, who stay members until the transaction ends.
create function app.hold_owners(ids uuid[], email_keys text[])
  returns table (member_id uuid, email text, email_key text, name text)
  language sql security definer set search_path = public, pg_temp as $$
  select m.member_id, m.email, m.email_key, m.name
  from membership h join member m on m.member_id = h.member_id
  where h.org_id = app.org_id() and (m.member_id = any(ids) or m.email_key = any(email_keys))
  order by h.member_id for key share of h
$$;
revoke execute on function app.hold_owners(uuid[], text[]) from public;
grant execute on function app.hold_owners(uuid[], text[]) to crosswalk_app;
