-- Who a visitor is, as events and people said it. A fact never changes, except that a person can take a link back.
create table identity_fact (
  org_id uuid not null,
  day date not null,
  -- The event that said it, or a new id if a person accepted a claim.
  message_key uuid not null,
  mode text collate "C" not null,
  kind text collate "C" not null check (kind in ('identify', 'alias', 'group', 'accept')),
  occurred_at timestamptz not null,
  visitor_id uuid,
  user_key text,
  email text,
  -- The userId, or else the e-mail address.
  person text generated always as (coalesce(user_key, email)) stored,
  -- The group of a group call, or the previous id of an alias.
  other_id text,
  trust smallint not null,
  -- The contact that a person named when accepting a claim.
  contact_id uuid,
  undone_at timestamptz,
  -- The traits wait until their effect on contacts is done. Then they are deleted.
  traits jsonb,
  is_pending boolean not null default false,
  primary key (org_id, day, message_key)
);
call app.protect('identity_fact');
call app.protect_by_list('identity_fact');
create index identity_fact_by_visitor on identity_fact (org_id, visitor_id, occurred_at) where visitor_id is not null;
create index identity_fact_by_person on identity_fact (org_id, person, occurred_at) where person is not null;
create index identity_fact_by_email on identity_fact (org_id, email) where email is not null;
create index identity_fact_by_contact on identity_fact (org_id, contact_id) where contact_id is not null;
create index identity_fact_by_day on identity_fact (day);
create index identity_fact_pending on identity_fact (org_id, occurred_at) where is_pending;

-- The visitor of an anonymous id, as src/tracking/wire/ids.ts derives it.
create function app.visitor_of(org_id uuid, anonymous_id text) returns uuid
  language sql immutable strict parallel safe as $$
  select (substr(h, 1, 12) || '8' || substr(h, 14, 3)
    || substr('89ab', (('x' || substr(h, 17, 1))::bit(4)::int & 3) + 1, 1) || substr(h, 18, 15))::uuid
  from (select encode(sha256(convert_to(org_id || ' ' || anonymous_id, 'UTF8')), 'hex')) as s (h)
$$;

-- Whether an identify call that nobody verified makes a contact of the visitor.
alter table tracking_settings add column identify_creates boolean not null default false;

-- The identity secret of an organization. The secret itself is sealed in the table secret.
create table identity_secret (
  org_id uuid primary key,
  created_at timestamptz not null default now(),
  old_expires_at timestamptz
);
call app.protect('identity_secret');
