-- CSV imports.
create table import (
  org_id uuid not null,
  import_id uuid not null,
  entity text collate "C" not null check (entity in ('contact', 'company')),
  status text collate "C" not null
    check (status in ('uploading', 'queued', 'running', 'succeeded', 'failed', 'reverting', 'reverted')),
  mode text not null check (mode in ('live', 'test')),
  api_key_id uuid,
  file_name text,
  mapping jsonb,
  columns jsonb,
  -- {code, message}: why it failed.
  error json,
  bytes_total bigint not null default 0,
  -- Progress, updated in the transaction that inserts the rows.
  rows_read bigint not null default 0,
  created_count bigint not null default 0,
  refused_count bigint not null default 0,
  reverted_count bigint not null default 0,
  kept_count bigint not null default 0,
  created_at timestamptz not null,
  started_at timestamptz,
  progressed_at timestamptz,
  finished_at timestamptz,
  primary key (org_id, import_id)
);

create table import_refusal (
  org_id uuid not null,
  import_id uuid not null,
  line bigint not null,
  reason text not null,
  primary key (org_id, import_id, line),
  foreign key (org_id, import_id) references import (org_id, import_id) on delete cascade
);

-- The stored lots of an import, inserted with their rows. Lots arrive in any order and from several processes: the primary
-- key prevents that a lot is stored twice, and a retry stores the missing lots.
create table import_lot (
  org_id uuid not null,
  import_id uuid not null,
  first_row bigint not null,
  primary key (org_id, import_id, first_row),
  foreign key (org_id, import_id) references import (org_id, import_id) on delete cascade
);
-- The uploaded file in pieces, so that a worker on any machine can continue. They are deleted when the import ends.
create table import_piece (
  org_id uuid not null,
  import_id uuid not null,
  piece integer not null,
  bytes bytea not null,
  primary key (org_id, import_id, piece),
  foreign key (org_id, import_id) references import (org_id, import_id) on delete cascade
);
alter table import_piece alter column bytes set storage external;

call app.protect('import');
call app.protect('import_refusal');
call app.protect('import_piece');
call app.protect('import_lot');
