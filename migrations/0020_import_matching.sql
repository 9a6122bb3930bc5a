-- What an import matches on, and what it changed of records that existed.
alter table import
  add column match_on text collate "C",
  -- ISO 3166-1 alpha-2: the country of its national phone numbers, unless a row has its own.
  add column default_country text,
  add column updated_count bigint not null default 0,
  add column unchanged_count bigint not null default 0;

-- What is no e-mail address, as phone_raw has what is no phone number.
alter table contact add column email_raw text;

-- What a row changed of the facts of an id (records/clusters/fact-change.ts). A revert takes it back in the opposite order of
-- the lines. It holds personal data: erasing the record deletes it.
create table import_change (
  org_id uuid not null,
  import_id uuid not null,
  record_id uuid not null,
  line bigint not null,
  change json not null,
  primary key (org_id, import_id, record_id, line),
  foreign key (org_id, import_id) references import (org_id, import_id) on delete cascade
);
create index import_change_record on import_change (org_id, record_id);
call app.protect('import_change');
