-- A limited member lists own records in the order of their changes. Without an owner, a record is in no such list.
create index contact_owner_updated on contact (org_id, owner_id, updated_at, contact_id) where status = 'active' and owner_id is not null;
create index company_owner_updated on company (org_id, owner_id, updated_at, company_id) where status = 'active' and owner_id is not null;
create index deal_owner_updated on deal (org_id, owner_id, updated_at, deal_id) where status = 'active' and owner_id is not null;
