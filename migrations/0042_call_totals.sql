-- How many calls an org has is counted as its records are (0003_totals.sql): a call is never deleted.
create trigger count_appended after insert on call
  referencing new table as inserted for each statement execute function app.count_appended();
insert into record_total (org_id, entity, total)
select org_id, 'call', count(*) from call group by org_id;
