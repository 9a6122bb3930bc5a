-- A person or a program can cancel a bulk change that waits or runs.
alter table bulk_change
  drop constraint bulk_change_status_check,
  add constraint bulk_change_status_check
    check (status in ('queued', 'running', 'succeeded', 'failed', 'canceled'));
