-- A link is for an address in the form that is compared: two spellings of an address, such as a domain in Unicode and in
-- punycode, are one person. Older links get the closest form that SQL can make.
alter table link add column email_key text;
update link set email_key = lower(email);
create index link_by_address on link (org_id, email_key);
