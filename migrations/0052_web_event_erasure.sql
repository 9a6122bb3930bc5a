-- The e-mail address that an event says of its user, normalized, so that an erasure finds it.
alter table web_event add column email text;
create index web_event_by_user on web_event (org_id, user_key) where user_key is not null;
create index web_event_by_email on web_event (org_id, email) where email is not null;

-- Whose web events were erased, for 30 days: a client that repeats a request must not bring an event back.
create table web_event_tombstone (
  org_id uuid not null,
  -- A message_key, a visitor_id, or app.web_event_subject of a user key or an e-mail address.
  subject uuid not null,
  -- Events of the subject that happened before are refused; of a message: always.
  refused_until timestamptz not null,
  erased_at timestamptz not null,
  primary key (org_id, subject)
);
call app.protect('web_event_tombstone');
create index web_event_tombstone_by_time on web_event_tombstone using brin (erased_at);

-- Erasures after which events are still to be deleted that were being stored at the same time.
create table web_event_erasure (
  org_id uuid not null,
  erasure_id uuid not null,
  erased_at timestamptz not null,
  primary key (org_id, erasure_id)
);
call app.protect('web_event_erasure');

-- 128 bits of a SHA-256: a tombstone must not show who was erased.
create function app.web_event_subject(org_id uuid, kind text, value text) returns uuid
  language sql immutable strict parallel safe as $$
  select encode(substring(sha256(convert_to(org_id || ' ' || kind || ' ' || value, 'UTF8')) from 1 for 16), 'hex')::uuid
$$;
