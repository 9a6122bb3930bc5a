-- A person or a program can cancel an import that waits or runs.
alter table import
  drop constraint import_status_check,
  add constraint import_status_check
    check (status in ('uploading', 'queued', 'running', 'succeeded', 'failed', 'canceled', 'reverting', 'reverted'));
