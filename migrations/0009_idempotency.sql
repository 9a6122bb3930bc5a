-- Stored answers of POSTs that had an Idempotency-Key. Each commits with the effect of its request.
create table idempotency_key (
  org_id uuid not null,
  -- SHA-256 of org, mode, method, path and key.
  scope bytea not null,
  -- SHA-256 of query and body; empty if the answer was erased.
  fingerprint bytea not null,
  status integer not null,
  headers json not null,
  body bytea,
  -- The object whose secret the answer has. The body is sealed then, and only the caller's token opens it.
  secret_of uuid,
  erased boolean not null default false,
  expires_at timestamptz not null,
  -- A phone call is an effect outside the database: one transaction claims the key, a later one stores the answer. Between
  -- them, this is the object that the effect creates.
  unfinished uuid,
  -- Until then, the process that claimed the key may still be working.
  busy_until timestamptz,
  primary key (org_id, scope),
  check ((unfinished is null) = (busy_until is null))
);
create index idempotency_key_expiry on idempotency_key (expires_at);

-- The objects in a stored answer: erasing a person clears the answers about that person.
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
