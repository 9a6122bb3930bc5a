-- What an organization says of its own fields: the members of `custom`.
create table field_definition (
  org_id uuid not null,
  field_id uuid not null,
  entity text collate "C" not null check (entity in ('contact', 'company', 'deal')),
  key text collate "C" not null,
  label text not null,
  description text,
  type text collate "C" not null check (type in
    ('text', 'number', 'boolean', 'date', 'datetime', 'select', 'multi_select', 'url', 'email', 'phone')),
  options text[] not null default '{}',
  -- 1 to n within the entity.
  position integer not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, field_id),
  unique (org_id, entity, key),
  unique (org_id, entity, position) deferrable initially deferred
);
call app.protect('field_definition');
