-- The people of a job are written twice and their links at least as often: room for the second time, and no index of
-- what changes then, keep the row on its page and the indexes as they are.
drop index crm_job_item_open;
drop index crm_job_item_by_outcome;
-- Those who failed or were skipped have an error.
create index crm_job_item_with_error on crm_job_item (org_id, job_id, contact_id) where error is not null;
alter table crm_job_item set (fillfactor = 40);
alter table crm_link set (fillfactor = 30);

-- Up to this contact, everybody in the job has an outcome.
alter table crm_job add column pushed_to uuid;
