-- The policy of 0067 reads the type of record. With it, a list of the open tasks of a record reads only the index again.
drop index task_open_of_record;
create index task_open_of_record on task (org_id, record_raw_id, due_on, task_id) include (entity) where completed_at is null;
