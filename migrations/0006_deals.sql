-- Deals, their stages, their close reasons, and the totals that GET /deals/summary adds up.
create table deal_pipeline (
  org_id uuid primary key,
  stages text[] not null,
  version integer not null default 1,
  updated_at timestamptz not null default now()
);

create table close_reason (
  org_id uuid not null,
  close_reason_id uuid not null,
  label text not null,
  outcome text collate "C" not null check (outcome in ('won', 'lost', 'any')),
  -- 1 to n; null: archived.
  position integer,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (org_id, close_reason_id),
  unique (org_id, position) deferrable initially deferred,
  check ((position is null) = (archived_at is not null))
);

create table deal (
  org_id uuid not null,
  deal_id uuid not null,
  status text collate "C" not null default 'active' check (status in ('active', 'archived', 'merged', 'erased')),
  merged_into_id uuid,
  name text,
  -- At most what a double stores exactly, because JSON readers use doubles.
  amount_cents bigint check (amount_cents between 0 and 9007199254740991),
  currency text collate "C" check (currency ~ '^[A-Z]{3}$'),
  stage text collate "C",
  -- `status` in the API.
  deal_status text collate "C" check (deal_status in ('open', 'won', 'lost')),
  closed_at timestamptz,
  close_reason_id uuid,
  -- The company id as it was written, and the id of its canonical record: they differ after a merge.
  company_raw_id uuid,
  company_id uuid,
  owner_email text,
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
  primary key (org_id, deal_id),
  foreign key (org_id, merged_into_id) references deal (org_id, deal_id),
  foreign key (org_id, close_reason_id) references close_reason (org_id, close_reason_id),
  foreign key (org_id, company_raw_id) references company (org_id, company_id),
  foreign key (org_id, company_id) references company (org_id, company_id),
  check (amount_cents is null or currency is not null),
  check ((deal_status = 'open') = (closed_at is null)),
  check (status = 'erased' or (name is not null and stage is not null and deal_status is not null))
);

-- Contacts of deals: the id as it was written, and the id of its canonical record. The rows are a column of their deal, so a
-- merge of deals does not move them.
create table deal_contact (
  org_id uuid not null,
  deal_id uuid not null,
  contact_raw_id uuid not null,
  contact_id uuid not null,
  position integer not null,
  primary key (org_id, deal_id, contact_raw_id),
  foreign key (org_id, deal_id) references deal (org_id, deal_id),
  foreign key (org_id, contact_raw_id) references contact (org_id, contact_id),
  foreign key (org_id, contact_id) references contact (org_id, contact_id)
);

create table deal_key (
  org_id uuid not null,
  kind text collate "C" not null,
  hash bigint not null,
  deal_id uuid not null,
  primary key (org_id, kind, hash, deal_id)
);

create index deal_active on deal (org_id, deal_id) where status = 'active';
create index deal_archived on deal (org_id, deal_id) where status = 'archived';
create index deal_updated on deal (org_id, updated_at) where status = 'active';
create index deal_by_status on deal (org_id, deal_status, deal_id) include (stage) where status = 'active';
create index deal_by_stage on deal (org_id, stage, deal_id) where status = 'active';
-- Shows whether a stage is in use. Archived deals count, because a restored deal returns to its stage.
create index deal_open on deal (org_id, stage, status) where deal_status = 'open';
create index deal_closed on deal (org_id, closed_at, deal_id) where status = 'active' and closed_at is not null;
create index deal_by_reason on deal (org_id, close_reason_id, deal_id)
  where status = 'active' and close_reason_id is not null;
create index deal_company on deal (org_id, company_id, deal_id) where company_id is not null;
create index deal_company_raw on deal (org_id, company_raw_id) where company_raw_id is not null;
create index deal_imported on deal (org_id, import_id, deal_id) where import_id is not null;
create index deal_merged_into on deal (org_id, merged_into_id) where merged_into_id is not null;
create index deal_search on deal using gin (search);
create index deal_contact_by_contact on deal_contact (org_id, contact_id, deal_id);
create index deal_contact_by_raw_contact on deal_contact (org_id, contact_raw_id);

-- Number and value of active deals, counted as in 0003_totals.sql: open deals by stage, closed deals by month (UTC) and
-- close reason. numeric: a sum has no upper bound.
create table deal_total (
  org_id uuid not null,
  deal_status text collate "C",
  stage text collate "C",
  month text collate "C",
  close_reason_id uuid,
  currency text collate "C",
  deals bigint not null,
  amount_cents numeric not null,
  unique nulls not distinct (org_id, deal_status, month, stage, close_reason_id, currency)
);
create table deal_delta (
  org_id uuid not null,
  delta_id bigint generated always as identity,
  deal_status text collate "C",
  stage text collate "C",
  month text collate "C",
  close_reason_id uuid,
  currency text collate "C",
  deals bigint not null,
  amount_cents numeric not null,
  primary key (org_id, delta_id)
);
alter table deal_delta set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

call app.protect('deal_pipeline');
call app.protect('close_reason');
call app.protect('deal');
call app.protect('deal_contact');
call app.protect('deal_key');
call app.protect('deal_total');
call app.protect('deal_delta');
revoke delete on deal, close_reason from crosswalk_app;
revoke insert, delete on deal_pipeline from crosswalk_app;
revoke insert, update, delete on deal_total from crosswalk_app;
call app.count_records('deal');

create function app.stage_counted(deal_status text, stage text) returns text language sql immutable
  return case when deal_status = 'open' then stage end;
create function app.month_counted(closed_at timestamptz) returns text language sql stable
  return to_char(closed_at at time zone 'UTC', 'YYYY-MM');

create function app.count_deals_inserted() returns trigger language plpgsql as $$
begin
  insert into deal_delta (org_id, deal_status, stage, month, close_reason_id, currency, deals, amount_cents)
  select org_id, deal_status, app.stage_counted(deal_status, stage), app.month_counted(closed_at), close_reason_id,
    currency, count(*), sum(coalesce(amount_cents, 0))
  from inserted where status = 'active' group by 1, 2, 3, 4, 5, 6;
  return null;
end $$;

create function app.count_deals_updated() returns trigger language plpgsql as $$
begin
  insert into deal_delta (org_id, deal_status, stage, month, close_reason_id, currency, deals, amount_cents)
  select org_id, deal_status, app.stage_counted(deal_status, stage), app.month_counted(closed_at), close_reason_id,
    currency, sum(sign), sum(sign * coalesce(amount_cents, 0))
  from (
    select 1 as sign, org_id, deal_status, stage, closed_at, close_reason_id, currency, amount_cents
    from updated where status = 'active'
    union all
    select -1, org_id, deal_status, stage, closed_at, close_reason_id, currency, amount_cents
    from outdated where status = 'active'
  ) as differences
  group by 1, 2, 3, 4, 5, 6 having sum(sign) <> 0 or sum(sign * coalesce(amount_cents, 0)) <> 0;
  return null;
end $$;

create function app.count_deals_deleted() returns trigger language plpgsql as $$
begin
  insert into deal_delta (org_id, deal_status, stage, month, close_reason_id, currency, deals, amount_cents)
  select org_id, deal_status, app.stage_counted(deal_status, stage), app.month_counted(closed_at), close_reason_id,
    currency, -count(*), -sum(coalesce(amount_cents, 0))
  from deleted where status = 'active' group by 1, 2, 3, 4, 5, 6;
  return null;
end $$;

create trigger count_deals_inserted after insert on deal
  referencing new table as inserted for each statement execute function app.count_deals_inserted();
create trigger count_deals_updated after update on deal
  referencing old table as outdated new table as updated for each statement execute function app.count_deals_updated();
create trigger count_deals_deleted after delete on deal
  referencing old table as deleted for each statement execute function app.count_deals_deleted();

create function app.search_deals(query text) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp as $$
  select deal_id from deal where org_id = app.org_id() and search @@ query::tsquery
$$;
revoke execute on function app.search_deals(text) from public;
grant execute on function app.search_deals(text) to crosswalk_app;

-- RFC 9562, section 5.7: a random UUID whose first 48 bits are replaced by the time, and its version by 7.
create function app.uuid_v7() returns uuid language sql volatile
  return encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1),
    'hex')::uuid;

-- The stages and close reasons of a new org.
create function app.prepare_deals(new_org_id uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into deal_pipeline (org_id, stages) values (new_org_id, '{New,Qualified,Proposal,Negotiation}')
  on conflict do nothing;
  if exists (select from close_reason where org_id = new_org_id) then
    return;
  end if;
  insert into close_reason (org_id, close_reason_id, label, outcome, position)
  select new_org_id, app.uuid_v7(), label, outcome, position
  from unnest(
    '{Good fit,Good price,Existing relationship,Price too high,Chose a competitor,No budget,No decision,Missing feature,Bad timing,Other}'::text[],
    '{won,won,won,lost,lost,lost,lost,lost,lost,any}'::text[]
  ) with ordinality as usual (label, outcome, position);
end $$;

create function app.prepare_new_org() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform app.prepare_deals(new.org_id);
  return null;
end $$;
revoke execute on function app.prepare_deals(uuid), app.prepare_new_org() from public;
create trigger prepare_new_org after insert on org for each row execute function app.prepare_new_org();
