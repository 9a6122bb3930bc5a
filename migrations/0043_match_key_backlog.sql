-- Which version's keys an org lacks: while a newer one rolls out, a node of the one before takes none of those for written.
alter table match_key_backlog add column version integer not null default 1;
