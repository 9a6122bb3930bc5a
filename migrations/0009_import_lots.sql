-- The lots of an import that are stored, written with their rows. Lots may come in any order and from several processes:
-- this key is what keeps each from being stored twice, and a killed import goes on with those that are missing.
create table import_lot (
  org_id uuid not null,
  import_id uuid not null,
  first_row bigint not null,
  primary key (org_id, import_id, first_row),
  foreign key (org_id, import_id) references import (org_id, import_id) on delete cascade
);
call app.protect('import_lot');

-- How far these have come is not known by lot.
update import
set status = 'failed', finished_at = now(),
  error = 'The server was upgraded in the middle of it; revert this import, and send the file again.'
where status = 'running';
