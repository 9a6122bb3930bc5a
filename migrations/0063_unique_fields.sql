-- A unique field: two active records of the organization cannot get the same value.
alter table field_definition add column is_unique boolean not null default false
  check (not is_unique or index_id is not null);
