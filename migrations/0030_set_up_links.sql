-- While an installation has no organization, the link that sets it up belongs to none.
alter table link drop constraint link_pkey;
alter table link add primary key (link_id);
alter table link alter column org_id drop not null;
alter table link add check (org_id is not null or kind = 'set_up');
create index link_by_org on link (org_id);
