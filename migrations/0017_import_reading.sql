-- A dry run reads a file as an import does, and creates no record. `encoding` is how the bytes of a CSV file were read.
alter table import
  add column dry_run boolean not null default false,
  add column encoding text collate "C";
