-- Events of programs are marked. They have no ids, and are kept for 7 days.
alter table web_event add column is_bot boolean not null default false;
-- Finds what is to be deleted. Only events of bots are in it.
create index web_event_bots on web_event (day) where is_bot;
