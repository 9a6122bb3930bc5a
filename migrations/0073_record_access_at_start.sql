-- The limit of the member who sent the file of an import, so that the import stops if this member is removed meanwhile.
alter table import add column record_access text check (record_access in ('team', 'own'));
-- Imports that wait or run during the upgrade.
update import i set record_access = m.record_access from membership m
  where m.org_id = i.org_id and m.member_id = i.member_id and m.record_access <> 'all'
    and i.status in ('uploading', 'queued', 'running');

-- The limit with which an invited person begins.
alter table link add column record_access text not null default 'all'
  check (record_access in ('all', 'team', 'own') and (record_access = 'all' or role in ('member', 'viewer')));
