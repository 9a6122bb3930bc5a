-- How many active records an org has. A single counter row would make its writers wait for one another, so every
-- statement inserts its difference, and a job adds the differences to the total.
-- The number is record_total + sum(record_delta), read in one snapshot.
create table record_total (
  org_id uuid not null,
  entity text collate "C" not null,
  total bigint not null,
  primary key (org_id, entity)
);
create table record_delta (
  org_id uuid not null,
  entity text collate "C" not null,
  delta_id bigint generated always as identity,
  delta bigint not null,
  primary key (org_id, entity, delta_id)
);
-- A row lives for half a second. By default, autovacuum would wait until a fifth of the table is dead.
alter table record_delta set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
call app.protect('record_total');
call app.protect('record_delta');
revoke insert, update, delete on record_total from crosswalk_app;

create function app.count_inserted() returns trigger language plpgsql as $$
begin
  insert into record_delta (org_id, entity, delta)
  select org_id, tg_table_name, count(*) from inserted where status = 'active' group by org_id;
  return null;
end $$;

create function app.count_updated() returns trigger language plpgsql as $$
begin
  insert into record_delta (org_id, entity, delta)
  select org_id, tg_table_name, sum(difference)
  from (
    select org_id, 1 as difference from updated where status = 'active'
    union all
    select org_id, -1 from outdated where status = 'active'
  ) as differences
  group by org_id having sum(difference) <> 0;
  return null;
end $$;

create function app.count_deleted() returns trigger language plpgsql as $$
begin
  insert into record_delta (org_id, entity, delta)
  select org_id, tg_table_name, -count(*) from deleted where status = 'active' group by org_id;
  return null;
end $$;

-- For tables without a status: every row counts.
create function app.count_appended() returns trigger language plpgsql as $$
begin
  insert into record_delta (org_id, entity, delta)
  select org_id, tg_table_name, count(*) from inserted group by org_id;
  return null;
end $$;

create function app.count_removed() returns trigger language plpgsql as $$
begin
  insert into record_delta (org_id, entity, delta)
  select org_id, tg_table_name, -count(*) from deleted group by org_id;
  return null;
end $$;

create procedure app.count_records(counted regclass) language plpgsql as $$
begin
  execute format('create trigger count_inserted after insert on %s referencing new table as inserted for each statement execute function app.count_inserted()', counted);
  execute format('create trigger count_updated after update on %s referencing old table as outdated new table as updated for each statement execute function app.count_updated()', counted);
  execute format('create trigger count_deleted after delete on %s referencing old table as deleted for each statement execute function app.count_deleted()', counted);
end $$;
