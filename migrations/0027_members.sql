-- People who sign in. A person is in several organizations, so only crosswalk_system reads member and session, and writes any of these tables.
-- Protects a table that belongs to no organization: crosswalk_app sees no row of it.
create procedure app.keep_from_orgs(protected regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', protected);
  execute format('alter table %s force row level security', protected);
  execute format('create policy system on %s to crosswalk_system, %I using (true) with check (true)', protected, current_user);
  execute format('grant select, insert, update, delete on %s to crosswalk_system', protected);
end $$;

create table member (
  member_id uuid primary key,
  email text not null,
  -- The address in the form that is compared.
  email_key text not null unique,
  name text not null,
  -- $scrypt$ln=15,r=8,p=3$salt$hash; null: no password.
  password text,
  -- Sealed; null: no second factor.
  totp_secret bytea,
  -- The last time step whose code was accepted. A code works once.
  totp_step bigint,
  -- SHA-256 of each recovery code that is left.
  recovery_codes bytea[] not null default '{}',
  created_at timestamptz not null
);
call app.keep_from_orgs('member');

create table membership (
  org_id uuid not null references org on delete cascade,
  member_id uuid not null references member on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  -- Narrows the role; null: the whole role.
  permissions text[],
  version integer not null default 1,
  created_at timestamptz not null,
  primary key (org_id, member_id)
);
create index membership_by_member on membership (member_id);
call app.protect('membership');
revoke insert, update, delete on membership from crosswalk_app;

create table session (
  session_id uuid primary key,
  member_id uuid not null references member on delete cascade,
  token_hash bytea not null unique,
  -- The second factor is missing: the session may only send it.
  is_partial boolean not null,
  user_agent text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null,
  -- The last time that the person proved to be there.
  confirmed_at timestamptz
);
create index session_by_member on session (member_id);
create index session_by_end on session (expires_at);
call app.keep_from_orgs('session');

-- One-time links. Their use deletes them.
create table link (
  org_id uuid not null references org on delete cascade,
  link_id uuid not null,
  kind text not null check (kind in ('set_up', 'invite', 'recovery')),
  token_hash bytea not null unique,
  -- The address of the person; null in the set-up link of an installation.
  email text,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  created_by_member_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (org_id, link_id)
);
call app.protect('link');
revoke insert, update, delete on link from crosswalk_app;

-- Failed sign-ins. Each address is counted, whether anyone has it or not.
create table sign_in_failure (
  -- SHA-256 of the compared form of the address.
  email_hash bytea primary key,
  failures integer not null,
  failed_at timestamptz not null
);
create index sign_in_failure_by_time on sign_in_failure (failed_at);
call app.keep_from_orgs('sign_in_failure');

-- A change that a member or the operator made names its actor. Without any of the three, the system made it.
alter table event add column member_id uuid, add column by_operator boolean;
alter table api_key add column created_by_member_id uuid;
alter table duplicate_scan add column member_id uuid;
alter table import add column member_id uuid;
alter table call add column member_id uuid;
alter table signature_push add column member_id uuid;
alter table signature_rollout add column member_id uuid;
alter table crm_job add column member_id uuid;

-- The name of a person whose id an event has. People of an agency act in its clients, which do not have them as members.
create function app.member_name(id uuid) returns text
  language sql stable security definer set search_path = public, pg_temp as $$
  select m.name from member m where m.member_id = id
$$;
revoke execute on function app.member_name(uuid) from public;
grant execute on function app.member_name(uuid) to crosswalk_app, crosswalk_system;

-- The caller's role as it is now, for requests whose effect outlives the session. See app.hold_key.
create function app.hold_member(home_org_id uuid, held_member_id uuid, held_session_id uuid)
  returns table (role text, permissions text[], may_act boolean)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  acted_on uuid := app.org_id();
begin
  perform from agency_client l
    where l.agency_org_id = home_org_id and l.client_org_id = acted_on for key share;
  if not found and home_org_id is distinct from acted_on then
    return;
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
revoke execute on function app.hold_member(uuid, uuid, uuid) from public;
grant execute on function app.hold_member(uuid, uuid, uuid) to crosswalk_app;

-- Tells every process, at commit, whose cached sessions are out of date.
create function app.notify_member() returns trigger language plpgsql as $$
begin
  perform pg_notify('crosswalk_auth', 'member:' || coalesce(new.member_id, old.member_id));
  return null;
end $$;
create trigger notify_auth after insert or delete or update of role, permissions on membership
  for each row execute function app.notify_member();
create trigger notify_auth after delete or update of token_hash, is_partial, expires_at, confirmed_at on session
  for each row execute function app.notify_member();
create trigger notify_auth after delete or update of email, name on member
  for each row execute function app.notify_member();
