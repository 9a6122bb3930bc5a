-- The visitor whose own statements made a contact. Nobody has verified them, so a person decides about each merge of the
-- contact. Only the code of tracking sets the column.
alter table contact add column claimed_by uuid;
create index contact_by_visitor on contact (org_id, claimed_by) where claimed_by is not null;
-- Ids are in the order of creation: this index counts the contacts that visitors made today.
create index claimed_contact on contact (org_id, contact_id) where claimed_by is not null;
