create table company (
  org_id uuid not null,
  company_id uuid not null,
  status text collate "C" not null default 'active' check (status in ('active', 'archived', 'merged', 'erased')),
  -- The root of an absorbed record; null while it stands for itself.
  merged_into_id uuid,
  name text,
  domain text,
  domains text[] not null default '{}',
  phone text,
  phone_raw text,
  website text,
  linkedin_url text,
  industry text,
  employee_count integer,
  city text,
  region text,
  country text,
  tags text[] not null default '{}',
  -- json, not jsonb: it is given back unchanged, key order and digits included.
  custom json not null default '{}',
  external_ids jsonb not null default '{}',
  source text,
  import_id uuid,
  search tsvector not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (org_id, company_id),
  foreign key (org_id, merged_into_id) references company (org_id, company_id)
);

create table contact (
  org_id uuid not null,
  contact_id uuid not null,
  status text collate "C" not null default 'active' check (status in ('active', 'archived', 'merged', 'erased')),
  merged_into_id uuid,
  email text,
  emails text[] not null default '{}',
  phone text,
  phones text[] not null default '{}',
  phone_raw text,
  first_name text,
  last_name text,
  -- The company as the writer named it, and the one that stands for it now: they differ after a merge.
  company_raw_id uuid,
  company_id uuid,
  company_name text,
  job_title text,
  linkedin_url text,
  city text,
  region text,
  country text,
  lifecycle_stage text check (lifecycle_stage in ('subscriber', 'lead', 'qualified', 'opportunity', 'customer', 'other')),
  consent_email text not null default 'unknown' check (consent_email in ('granted', 'denied', 'unknown')),
  consent_phone text not null default 'unknown' check (consent_phone in ('granted', 'denied', 'unknown')),
  tags text[] not null default '{}',
  custom json not null default '{}',
  external_ids jsonb not null default '{}',
  source text,
  import_id uuid,
  search tsvector not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (org_id, contact_id),
  foreign key (org_id, merged_into_id) references contact (org_id, contact_id),
  foreign key (org_id, company_raw_id) references company (org_id, company_id),
  foreign key (org_id, company_id) references company (org_id, company_id)
);

-- Ids are UUIDv7 and a record's created_at is the time inside its id, so the order of the ids is the order
-- of (created_at, id), and the lists need no index of their own.
create index company_active on company (org_id, company_id) where status = 'active';
create index company_archived on company (org_id, company_id) where status = 'archived';
create index company_updated on company (org_id, updated_at) where status = 'active';
create index company_imported on company (org_id, import_id, company_id) where import_id is not null;
create index company_merged_into on company (org_id, merged_into_id) where merged_into_id is not null;
create index company_search on company using gin (search);
create index contact_active on contact (org_id, contact_id) where status = 'active';
create index contact_archived on contact (org_id, contact_id) where status = 'archived';
create index contact_updated on contact (org_id, updated_at) where status = 'active';
create index contact_imported on contact (org_id, import_id, contact_id) where import_id is not null;
create index contact_merged_into on contact (org_id, merged_into_id) where merged_into_id is not null;
create index contact_company on contact (org_id, company_id, contact_id) where company_id is not null;
create index contact_company_raw on contact (org_id, company_raw_id) where company_raw_id is not null;
create index contact_search on contact using gin (search);

-- Exact look-ups (e-mail, phone, external id, tag, domain) of active records: 64-bit hashes of normalised
-- values. Operators on arrays are not leakproof, so under row-level security they could not use an index.
create table company_key (
  org_id uuid not null,
  kind text collate "C" not null,
  hash bigint not null,
  company_id uuid not null,
  primary key (org_id, kind, hash, company_id)
);
create table contact_key (
  org_id uuid not null,
  kind text collate "C" not null,
  hash bigint not null,
  contact_id uuid not null,
  primary key (org_id, kind, hash, contact_id)
);

call app.protect('company');
call app.protect('contact');
call app.protect('company_key');
call app.protect('contact_key');
revoke delete on company, contact from crosswalk_app;
call app.count_records('company');
call app.count_records('contact');

-- Full-text matches for ?q=. `@@` is not leakproof either, so these run as their owner, bound to the org of
-- the transaction; every lexeme starts with a piece of the org's id, so one org's words never slow another's.
create function app.search_contacts(query text) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp as $$
  select contact_id from contact where org_id = app.org_id() and search @@ query::tsquery
$$;
create function app.search_companies(query text) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp as $$
  select company_id from company where org_id = app.org_id() and search @@ query::tsquery
$$;
revoke execute on function app.search_contacts(text), app.search_companies(text) from public;
grant execute on function app.search_contacts(text), app.search_companies(text) to crosswalk_app;
