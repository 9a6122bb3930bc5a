-- The latest conversion of the values of a defined field: options that were renamed, or values that get another type.
create table field_conversion (
  org_id uuid not null,
  field_id uuid not null,
  state text collate "C" not null default 'running' check (state in ('running', 'succeeded', 'failed')),
  -- The new name of each renamed option: {"Gold": "Platinum"}.
  renames json not null default '{}',
  -- How many records had a value to convert at the start.
  records bigint not null,
  converted bigint not null default 0,
  -- The records whose value does not fit and stays, and the ids of the first 100.
  unfit bigint not null default 0,
  unfit_ids uuid[] not null default '{}',
  -- The records up to this id are done.
  converted_to uuid,
  primary key (org_id, field_id)
);
call app.protect('field_conversion');
