-- The number of active records of each owner, so that the total of a list costs a limited member as little as anybody else.
-- A record with an owner also counts for the entity 'contact of <owner_id>', and so on.
create or replace function app.count_inserted() returns trigger language plpgsql as $$
begin
  insert into record_delta (org_id, entity, delta)
  select org_id, tg_table_name, count(*) from inserted where status = 'active' group by org_id
  union all
  select org_id, tg_table_name || ' of ' || owner_id, count(*) from inserted
  where status = 'active' and owner_id is not null group by org_id, owner_id;
  return null;
end $$;

create or replace function app.count_updated() returns trigger language plpgsql as $$
begin
  insert into record_delta (org_id, entity, delta)
  select org_id, tg_table_name || coalesce(' of ' || owner_id, ''), sum(difference)
  from (
    select org_id, 1 as difference, owner_id from updated where status = 'active'
    union all
    select org_id, -1, owner_id from outdated where status = 'active'
  ) as differences
  group by grouping sets ((org_id), (org_id, owner_id))
  having sum(difference) <> 0 and (grouping(owner_id) = 1 or owner_id is not null);
  return null;
end $$;

create or replace function app.count_deleted() returns trigger language plpgsql as $$
begin
  insert into record_delta (org_id, entity, delta)
  select org_id, tg_table_name, -count(*) from deleted where status = 'active' group by org_id
  union all
  select org_id, tg_table_name || ' of ' || owner_id, -count(*) from deleted
  where status = 'active' and owner_id is not null group by org_id, owner_id;
  return null;
end $$;

-- No other transaction may write between the count and the first run of the new functions.
lock table contact, company, deal in share row exclusive mode;
insert into record_total (org_id, entity, total)
select org_id, entity || ' of ' || owner_id, count(*)
from (
  select org_id, 'contact' as entity, owner_id from contact where owner_id is not null and status = 'active'
  union all
  select org_id, 'company', owner_id from company where owner_id is not null and status = 'active'
  union all
  select org_id, 'deal', owner_id from deal where owner_id is not null and status = 'active'
) as owned
group by org_id, entity, owner_id;
