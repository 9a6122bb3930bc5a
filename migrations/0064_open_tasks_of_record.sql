-- The open tasks of a record, with all that a list of them sorts. Without it, a list reads the rows of all its tasks, also
-- of completed ones.
create index task_open_of_record on task (org_id, record_raw_id, due_on, task_id) where completed_at is null;
