-- The number of active records with each tag, and of active deals in each stage. The total of a list with one of these filters
-- then costs as little as that of the whole list. A record with a tag also counts for the entity 'contact tagged <hash of the tag>',
-- and so on. A deal also counts for 'deal in <stage>'. A hash is short, and reveals no tag of erased records.
create function app.tag_counted(tag text) returns text language sql stable
  return encode(sha256(convert_to(tag, 'UTF8')), 'hex');

-- After the wait for this lock, each change is counted by the new functions. The next migration counts the older records.
lock table contact, company, deal in share row exclusive mode;

create or replace function app.count_inserted() returns trigger language plpgsql as $$
begin
  insert into record_delta (org_id, entity, delta)
  select org_id, tg_table_name::text, count(*) from inserted where status = 'active' group by org_id
  union all
  select org_id, tg_table_name::text || ' of ' || owner_id, count(*) from inserted
  where status = 'active' and owner_id is not null group by org_id, owner_id
  union all
  select org_id, tg_table_name::text || ' tagged ' || app.tag_counted(tag), count(*) from inserted, unnest(tags) as tag
  where status = 'active' group by org_id, tag;
  return null;
end $$;

create or replace function app.count_updated() returns trigger language plpgsql as $$
begin
  insert into record_delta (org_id, entity, delta)
  select org_id, tg_table_name::text || coalesce(' of ' || owner_id, ''), sum(difference)
  from (
    select org_id, 1 as difference, owner_id from updated where status = 'active'
    union all
    select org_id, -1, owner_id from outdated where status = 'active'
  ) as differences
  group by grouping sets ((org_id), (org_id, owner_id))
  having sum(difference) <> 0 and (grouping(owner_id) = 1 or owner_id is not null)
  union all
  select org_id, tg_table_name::text || ' tagged ' || app.tag_counted(tag), sum(difference)
  from (
    select org_id, 1 as difference, tag from updated, unnest(tags) as tag where status = 'active'
    union all
    select org_id, -1, tag from outdated, unnest(tags) as tag where status = 'active'
  ) as differences
  group by org_id, tag having sum(difference) <> 0;
  return null;
end $$;

create or replace function app.count_deleted() returns trigger language plpgsql as $$
begin
  insert into record_delta (org_id, entity, delta)
  select org_id, tg_table_name::text, -count(*) from deleted where status = 'active' group by org_id
  union all
  select org_id, tg_table_name::text || ' of ' || owner_id, -count(*) from deleted
  where status = 'active' and owner_id is not null group by org_id, owner_id
  union all
  select org_id, tg_table_name::text || ' tagged ' || app.tag_counted(tag), -count(*) from deleted, unnest(tags) as tag
  where status = 'active' group by org_id, tag;
  return null;
end $$;

create function app.count_stages_inserted() returns trigger language plpgsql as $$
begin
  insert into record_delta (org_id, entity, delta)
  select org_id, 'deal in ' || stage, count(*) from inserted where status = 'active' and stage is not null group by org_id, stage;
  return null;
end $$;

create function app.count_stages_updated() returns trigger language plpgsql as $$
begin
  insert into record_delta (org_id, entity, delta)
  select org_id, 'deal in ' || stage, sum(difference)
  from (
    select org_id, 1 as difference, stage from updated where status = 'active' and stage is not null
    union all
    select org_id, -1, stage from outdated where status = 'active' and stage is not null
  ) as differences
  group by org_id, stage having sum(difference) <> 0;
  return null;
end $$;

create function app.count_stages_deleted() returns trigger language plpgsql as $$
begin
  insert into record_delta (org_id, entity, delta)
  select org_id, 'deal in ' || stage, -count(*) from deleted where status = 'active' and stage is not null group by org_id, stage;
  return null;
end $$;

create trigger count_stages_inserted after insert on deal
  referencing new table as inserted for each statement execute function app.count_stages_inserted();
create trigger count_stages_updated after update on deal
  referencing old table as outdated new table as updated for each statement execute function app.count_stages_updated();
create trigger count_stages_deleted after delete on deal
  referencing old table as deleted for each statement execute function app.count_stages_deleted();
