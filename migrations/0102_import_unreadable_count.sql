-- How many imported rows have an e-mail address or a phone number that could not be read, and is kept as text.
alter table import add column unreadable_count integer not null default 0;
