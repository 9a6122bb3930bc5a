-- Single sign-on with OpenID Connect. The client secret is in `secret`, under the name `sso`.
create table sso (
  org_id uuid primary key references org on delete cascade,
  issuer text not null,
  client_id text not null,
  -- The e-mail domains whose people may sign in, in lower case.
  domains text[] not null,
  -- The role of people who are no members yet; null: they are refused.
  newcomer_role text check (newcomer_role in ('admin', 'member', 'viewer')),
  -- True if people of the domains reach the organization only with single sign-on.
  is_required boolean not null,
  version integer not null default 1,
  updated_at timestamptz not null
);
call app.protect('sso');
revoke insert, update, delete on sso from crosswalk_app;
create trigger notify_auth after insert or update or delete on sso for each row execute function app.notify_auth();

-- The people whom a provider knows, by its id for them.
create table sso_identity (
  org_id uuid not null references org on delete cascade,
  issuer text not null,
  subject text not null,
  member_id uuid not null references member on delete cascade,
  created_at timestamptz not null,
  used_at timestamptz not null,
  primary key (org_id, issuer, subject)
);
create index sso_identity_by_member on sso_identity (member_id);
call app.protect('sso_identity');
revoke insert, update, delete on sso_identity from crosswalk_app;

-- A sign-in that went to a provider and has not come back. Its return deletes it.
create table sso_attempt (
  org_id uuid not null references org on delete cascade,
  -- SHA-256 of the token in the browser's cookie.
  attempt_hash bytea not null unique,
  -- SHA-256.
  state_hash bytea not null,
  issuer text not null,
  nonce text not null,
  code_verifier text not null,
  return_to text not null,
  -- The session that the person confirms; null: a sign-in.
  session_id uuid,
  expires_at timestamptz not null,
  primary key (org_id, attempt_hash)
);
create index sso_attempt_by_end on sso_attempt (expires_at);
call app.protect('sso_attempt');
revoke insert, update, delete on sso_attempt from crosswalk_app;

-- A session of single sign-on reaches only this organization.
alter table session add column sso_org_id uuid references org on delete cascade;
-- A session that began with a link of the operator reaches organizations that require single sign-on.
alter table session add column is_recovery boolean not null default false;
create index session_by_sso_org on session (sso_org_id) where sso_org_id is not null;

-- Members act in the sandboxes of their organization, too.
create or replace function app.hold_member(home_org_id uuid, held_member_id uuid, held_session_id uuid)
  returns table (role text, permissions text[], may_act boolean)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  acted_on uuid := app.org_id();
begin
  perform from agency_client l
    where l.agency_org_id = home_org_id and l.client_org_id = acted_on for key share;
  if not found and home_org_id is distinct from acted_on then
    perform from org o where o.org_id = acted_on and o.sandbox_of = home_org_id for key share;
    if not found then
      return;
    end if;
  end if;
  select m.role, m.permissions into role, permissions
    from membership m
    join session s on s.member_id = m.member_id and s.session_id = held_session_id
      and not s.is_partial and s.expires_at > clock_timestamp()
    where m.org_id = home_org_id and m.member_id = held_member_id
    for share;
  may_act := found;
  return next;
end $$;
