-- Counts the tags and stages of records from before 0091, while requests go on. One statement sees one moment: what is counted at
-- that moment, less what 0091 has counted until then, is missing.
insert into record_delta (org_id, entity, delta)
select org_id, entity, sum(number)
from (
  select org_id, entity || ' tagged ' || app.tag_counted(tag) as entity, number
  from (
    select org_id, 'contact' as entity, tag, count(*) as number from contact, unnest(tags) as tag
    where status = 'active' group by org_id, tag
    union all
    select org_id, 'company', tag, count(*) from company, unnest(tags) as tag where status = 'active' group by org_id, tag
    union all
    select org_id, 'deal', tag, count(*) from deal, unnest(tags) as tag where status = 'active' group by org_id, tag
  ) as tagged
  union all
  select org_id, 'deal in ' || stage, count(*) from deal where status = 'active' and stage is not null group by org_id, stage
  union all
  select org_id, entity, -total from record_total where entity like '% tagged %' or entity like 'deal in %'
  union all
  select org_id, entity, -delta from record_delta where entity like '% tagged %' or entity like 'deal in %'
) as counted
group by org_id, entity having sum(number) <> 0;
