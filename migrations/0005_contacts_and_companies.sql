-- Contacts, companies, and the keys under which they are found.
create table company (
  org_id uuid not null,
  company_id uuid not null,
  status text collate "C" not null default 'active' check (status in ('active', 'archived', 'merged', 'erased')),
  -- The canonical record of an absorbed one; otherwise null.
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
  -- json, not jsonb: answers have it as it was sent, with the order of members and every digit.
  custom json not null default '{}',
  external_ids json not null default '{}',
  source text,
  import_id uuid,
  search tsvector not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  -- What was written to each id (records/clusters/facts.ts); null: the record was never merged.
  facts json,
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
  -- The company id as it was written, and the id of its canonical record: they differ after a merge.
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
  external_ids json not null default '{}',
  source text,
  import_id uuid,
  search tsvector not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  facts json,
  -- How consent was given or denied: {"kind": written|oral|implied, "source", "at" (Unix seconds)}. Each member may be null.
  consent_email_details jsonb,
  consent_phone_details jsonb,
  primary key (org_id, contact_id),
  foreign key (org_id, merged_into_id) references contact (org_id, contact_id),
  foreign key (org_id, company_raw_id) references company (org_id, company_id),
  foreign key (org_id, company_id) references company (org_id, company_id)
);

-- Ids are UUIDv7 and created_at is the time in the id. So the order of ids is the order of creation, and lists need no
-- index on created_at.
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

-- Exact lookups (e-mail, phone, external id, tag, domain) of active records: 64-bit hashes of normalized values. Operators
-- on arrays are not leakproof, so under row-level security they would use no index.
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

-- Full-text matches for ?q=. `@@` is not leakproof either, so these functions run as their owner and filter by the bound org.
-- Every lexeme starts with a part of the org's id, so one org's words do not slow down another org.
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
