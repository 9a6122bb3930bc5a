-- What POSTs with an Idempotency-Key were answered, each row committed with what its request did.
create table idempotency_key (
  org_id uuid not null,
  -- SHA-256 of org, mode, method, path and key.
  scope bytea not null,
  -- SHA-256 of query and body; empty once the answer is erased.
  fingerprint bytea not null,
  status integer not null,
  headers json not null,
  body bytea,
  -- The object whose secret the answer holds: its body is sealed then, and opens with its maker's token alone.
  secret_of uuid,
  erased boolean not null default false,
  expires_at timestamptz not null,
  primary key (org_id, scope)
);
create index idempotency_key_expiry on idempotency_key (expires_at);

-- Whom an answer is about, so that erasing a person finds it.
create table idempotency_object (
  org_id uuid not null,
  scope bytea not null,
  object_id uuid not null,
  primary key (org_id, scope, object_id),
  foreign key (org_id, scope) references idempotency_key (org_id, scope) on delete cascade
);
create index idempotency_object_by_object on idempotency_object (org_id, object_id);

call app.protect('idempotency_key');
call app.protect('idempotency_object');
